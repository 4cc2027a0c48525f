// A relay before an HTTP server on this machine: all passes as it is, Host and Origin
// included, each part as it comes, and an end on one side is an end on the other.
import http from 'node:http';

/** Listens on a port of its own: {port, target, close()}; target may be set anew.
 * headers: more of the request's, as in rawHeaders. onEnd is told of each exchange
 * that is over: {method, path, headers, request, status, answered, response}. */
export function relay(target, { headers = [], onEnd } = {}) {
    const way = { target };
    const server = http.createServer((request, response) => {
        const exchange = { method: request.method, path: request.url, headers: request.headers, request: '', response: '' };
        const onward = http.request({ host: '127.0.0.1', port: way.target, method: request.method, path: request.url,
            headers: [...request.rawHeaders, ...headers], setHost: false, agent: false }, (answer) => {
            Object.assign(exchange, { status: answer.statusCode, answered: answer.headers });
            response.writeHead(answer.statusCode, answer.rawHeaders);
            response.flushHeaders();
            answer.on('error', () => response.destroy());
            answer.pipe(response);
            if (onEnd)
                answer.setEncoding('utf8').on('data', (text) => { exchange.response += text; });
        });
        onward.on('error', () => response.destroy());
        response.on('close', () => {
            onward.destroy();
            onEnd?.(exchange);
        });
        request.on('error', () => onward.destroy());
        request.pipe(onward);
        if (onEnd)
            request.on('data', (part) => { exchange.request += part.toString('utf8'); });
    });
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(Object.assign(way, {
        port: server.address().port,
        close: () => { server.closeAllConnections(); server.close(); },
    }))));
}
