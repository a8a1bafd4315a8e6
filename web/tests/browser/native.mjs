// The same questions to the native command.
import { execFileSync } from 'node:child_process';
import { command } from './site.mjs';

export function native(request) {
  const line = execFileSync(command, ['batch'], { input: `${JSON.stringify(request)}\n`, encoding: 'utf8' });
  return JSON.parse(line);
}

/** Runs a line of shell in which `renyi` is the native command. */
export function shell(line) {
  return execFileSync('bash', ['-c', `renyi() { "${command}" "$@"; }; ${line}`], { encoding: 'utf8' });
}

/** The text of a number may differ from the exact upper end by its last digit, and only upwards. */
export const isRoundedUp = (text, upper) => Number(text) >= upper && Number(text) <= upper * (1 + 1.01e-5) + 1e-300;
