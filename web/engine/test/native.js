// The native command, which answers the same requests.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './requests.js';

export const engineDirectory = new URL('build/wasm/engine/', `file://${root}`);
const command = process.env.RENYI ?? join(root, 'build/bin/renyi');

/** Answers lines by `renyi batch`. */
export function native(lines) {
  const input = lines.map((line) => `${line}\n`).join('');
  const { stdout, status, error } = spawnSync(command, ['batch'], { input, encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (error || status !== 0) throw error ?? new Error(`renyi batch: status ${status}`);
  return stdout.split('\n').slice(0, lines.length);
}

/** The engine that `make wasm` has built. */
export const { createEngine, compile } = await import(new URL('index.js', engineDirectory));
