// Makes a PNG of a screen smaller: 256 colours, each pixel the nearest of them. Pages have
// few colours, so that nothing is seen of it. Half are those most used, half those that are
// farthest from what is there already: a single green dot stays green.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGN = Buffer.from('89504e470d0a1a0a', 'hex');

function* chunks(png) {
    for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
        yield [png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + png.readUInt32BE(at))];
}

function chunk(type, data) {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]), ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** The pixels of a PNG of 8 bits a colour: {width, height, step, data}. */
function pixels(png) {
    const all = [...chunks(png)], head = all[0][1], width = head.readUInt32BE(0), height = head.readUInt32BE(4), step = head[9] === 6 ? 4 : 3, row = width * step;
    const raw = inflateSync(Buffer.concat(all.filter(([type]) => type === 'IDAT').map(([, data]) => data))), data = Buffer.alloc(row * height);
    const paeth = (a, b, c) => {
        const pa = Math.abs(b - c), pb = Math.abs(a - c), pc = Math.abs(a + b - 2 * c);
        return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
    };
    for (let y = 0; y < height; y++)
        for (let x = 0, filter = raw[y * (row + 1)]; x < row; x++) {
            const at = y * row + x, a = x >= step ? data[at - step] : 0, b = y ? data[at - row] : 0, c = x >= step && y ? data[at - row - step] : 0;
            data[at] = raw[y * (row + 1) + 1 + x] + [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter];
        }
    return { width, height, step, data };
}

/** A PNG of the colours [red, green, blue] that `at` gives of x and y. */
export function drawPng(width, height, at) {
    const head = Buffer.alloc(13), rows = Array.from({ length: height }, (_, y) => Buffer.from([0, ...Array.from({ length: width }, (__, x) => at(x, y)).flat()]));
    head.writeUInt32BE(width);
    head.writeUInt32BE(height, 4);
    head.set([8, 2], 8);
    return Buffer.concat([SIGN, chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))]);
}

export function smaller(png) {
    const { width, height, step, data } = pixels(png), seen = new Map(), indexes = new Map();
    const colorAt = (at) => (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
    for (let at = 0; at < data.length; at += step)
        seen.set(colorAt(at), (seen.get(colorAt(at)) ?? 0) + 1);
    const colors = [...seen].sort(([, a], [, b]) => b - a).map(([color]) => color), palette = colors.splice(0, 128);
    const far = (a, b) => ((a >> 16) - (b >> 16)) ** 2 + ((a >> 8 & 255) - (b >> 8 & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2;
    const away = colors.map((color) => Math.min(...palette.map((each) => far(each, color))));
    while (colors.length && palette.length < 256) {
        const color = colors[away.indexOf(Math.max(...away))];
        palette.push(color);
        colors.forEach((each, i) => { away[i] = Math.min(away[i], far(each, color)); });
    }
    const nearest = (color) => palette.reduce((best, each, i) => (far(each, color) < far(palette[best], color) ? i : best), 0);
    const lines = Buffer.alloc((width + 1) * height);
    for (let at = 0, i = 0; at < data.length; at += step, i++) {
        const color = colorAt(at);
        if (!indexes.has(color))
            indexes.set(color, nearest(color));
        lines[i + 1 + Math.floor(i / width)] = indexes.get(color);
    }
    const head = Buffer.alloc(13), table = Buffer.alloc(palette.length * 3);
    head.writeUInt32BE(width);
    head.writeUInt32BE(height, 4);
    head.set([8, 3], 8);
    palette.forEach((color, i) => table.writeUIntBE(color, i * 3, 3));
    return Buffer.concat([SIGN, chunk('IHDR', head), chunk('PLTE', table), chunk('IDAT', deflateSync(lines, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}
