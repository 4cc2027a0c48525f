// Bytes over a TCP connection, as they are, and the answers that come.
import net from 'node:net';

/** Sends each piece, then waits until the other end closes, or `ms` without a
 * byte: {text, statuses, closed}. */
export function raw(port, pieces, ms = 700) {
    return new Promise((resolve, reject) => {
        const socket = net.connect(port, '127.0.0.1');
        let text = '', timer, closed = false;
        const done = () => {
            clearTimeout(timer);
            socket.destroy();
            resolve({ text, closed, statuses: [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map((m) => Number(m[1])) });
        };
        const again = () => {
            clearTimeout(timer);
            timer = setTimeout(done, ms);
        };
        socket.setEncoding('latin1');
        socket.on('connect', () => {
            for (const piece of [pieces].flat())
                socket.write(Buffer.from(piece, 'latin1'));
            again();
        });
        socket.on('data', (part) => { text += part; again(); });
        socket.on('end', () => { closed = true; done(); });
        socket.on('error', (error) => (text || error.code === 'ECONNRESET' || error.code === 'EPIPE' ? (closed = true, done()) : reject(error)));
    });
}
