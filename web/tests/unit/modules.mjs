// Modules of the page for tests in Node: bundled once from their sources, without the page around them.
import { webcrypto } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

// Browsers have it as a global; Node 18 has not.
globalThis.crypto ??= webcrypto;

const source = (path) => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));

/** The exports of a module of src/. */
export async function moduleOf(path) {
  const folder = await mkdtemp(join(tmpdir(), 'renyi-page-'));
  const outfile = join(folder, 'module.mjs');
  await build({ entryPoints: [source(path)], bundle: true, format: 'esm', platform: 'neutral', outfile, logLevel: 'error' });
  return import(pathToFileURL(outfile).href);
}
