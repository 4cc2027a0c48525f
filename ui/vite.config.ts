import { fileURLToPath } from 'node:url';
import VueI18n from '@intlify/unplugin-vue-i18n/vite';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const daemon = process.env.TOOLCRIB_URL ?? 'http://127.0.0.1:8420';

export default defineConfig({
    plugins: [
        vue(),
        // Messages are compiled here: a page under a strict content policy compiles none.
        VueI18n({ include: here('src/locales/**/*.json'), strictMessage: true, dropMessageCompiler: true, runtimeOnly: true }),
    ],
    resolve: { alias: { '@': here('src') } },
    build: {
        outDir: here('../build/ui/dist'),
        emptyOutDir: true,
        target: 'es2022',
        assetsInlineLimit: 0, // fonts and images of our own origin, so that the policy needs no exception
        modulePreload: { polyfill: false },
        reportCompressedSize: false,
        manifest: true,
        // Over HTTP/1.1 each file costs a turn: what is always needed is one, what pages share is few.
        rolldownOptions: { output: {
            chunkFileNames: ({ name }) => `assets/${short(name)}-[hash].js`,
            assetFileNames: ({ names }) => `assets/${short(names[0] ?? '')}-[hash][extname]`,
            codeSplitting: { groups: [
                { name: 'frame', tags: ['$initial'], priority: 2 },
                { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 24 * 1024, priority: 1 },
            ] },
        } },
    },
    server: { proxy: proxy() },
    preview: { proxy: proxy() },
});

/** Without its type and the pages that share it. */
function short(name: string) {
    return name.split(/[~.]/)[0];
}

/** What is not the interface is the daemon's (make ui). */
function proxy() {
    return Object.fromEntries(['/admin', '/v1', '/mcp/', '/oauth', '/openapi.json', '/metrics', '/healthz', '/readyz']
            .map((path) => [path, { target: daemon, changeOrigin: true, headers: { origin: daemon }, bypass: (request) => (request.headers.accept?.includes('text/html') ? '/index.html' : undefined) }]));
}
