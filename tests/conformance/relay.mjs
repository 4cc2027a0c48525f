// A relay that adds a token: the suite cannot send one, and the daemon has no path
// without. Everything else passes as it is, Host and Origin included.
import http from 'node:http';

/** Listens on a port of its own and passes all to `target`: {port, close()}. */
export function relay(target, token) {
    const server = http.createServer((request, response) => {
        const headers = [...request.rawHeaders, 'Authorization', `Bearer ${token}`];
        const onward = http.request({ host: '127.0.0.1', port: target, method: request.method, path: request.url, headers, setHost: false, agent: false },
            (answer) => {
                response.writeHead(answer.statusCode, answer.rawHeaders);
                response.flushHeaders();
                answer.pipe(response);
            });
        onward.on('error', () => response.destroy());
        response.on('close', () => onward.destroy());
        request.pipe(onward);
    });
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve({
        port: server.address().port,
        close: () => { server.closeAllConnections(); server.close(); },
    })));
}
