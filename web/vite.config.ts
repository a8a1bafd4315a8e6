// Builds the page into build/web as static files whose addresses are relative, so that any folder of any server will do.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The engine as `make wasm` leaves it. */
const engine = process.env.RENYI_ENGINE ?? at('../build/wasm/engine');
if (!existsSync(`${engine}/renyi.wasm`)) throw new Error(`There is no engine in ${engine}: run make wasm first.`);

export default defineConfig({
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
