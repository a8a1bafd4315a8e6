// Builds the page into build/web as static files whose addresses are relative, so that any folder of any server will do.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The engine as `make wasm` leaves it. */
const engine = process.env.RENYI_ENGINE ?? at('../build/wasm/engine');
if (!existsSync(`${engine}/renyi.wasm`)) throw new Error(`There is no engine in ${engine}: run make wasm first.`);

/** Lets the browser fetch the engine together with the page's script, and not after it. */
const fetchEngineEarly: Plugin = {
  name: 'fetch-engine-early',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((file) => file.endsWith('.wasm'))
        .map((file) => ({ tag: 'link', attrs: { rel: 'preload', as: 'fetch', crossorigin: true, href: `./${file}` }, injectTo: 'head' })),
  },
};

export default defineConfig({
  plugins: [fetchEngineEarly],
  base: './',
  resolve: {
    alias: [
      { find: /^@renyi\/engine\/worker$/, replacement: `${engine}/worker.js` },
      { find: /^@renyi\/engine$/, replacement: `${engine}/index.js` },
    ],
  },
  server: { fs: { allow: [at('.'), engine] } },
  worker: { format: 'es' },
  build: {
    outDir: at('../build/web'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
