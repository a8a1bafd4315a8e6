// The state of the view as the fragment of an address: version, then JSON in base64url. What is the default is left out.
// A fragment is not sent to any server. What cannot be read gives a notice, never a broken page.
import { type Configuration, initial, mechanismStep, type Relation, relations, type Run, type Scheme, schemes, type Step } from '../whatif/configuration';

export interface Shared {
  configuration: Configuration;
  pinned: Configuration | null;
  target: string;
  baseline: number;
}

const version = 'v1.';
/** Longer links are cut by some programs, and no state that the page makes needs more. */
const longest = 200_000;

type Loose = Record<string, unknown>;
const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value);

function encode(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

function decode(text: string): string {
  const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (letter) => letter.charCodeAt(0)));
}

/** The members of `value` that differ from those of `usual`. */
function changed(value: object, usual: object): Loose {
  return Object.fromEntries(
    Object.entries(value).filter(([key, part]) => JSON.stringify(part) !== JSON.stringify((usual as Loose)[key])),
  );
}

function compact(configuration: Configuration): Loose {
  const { run, steps, ...rest } = configuration;
  const result = changed(rest, initial);
  const differing = changed(run, initial.run);
  if (Object.keys(differing).length > 0) result.run = differing;
  if (configuration.mode === 'plan') result.steps = steps.map((step) => changed(step, mechanismStep('')));
  return result;
}

export function write(shared: Shared): string {
  const content: Loose = { now: compact(shared.configuration) };
  if (shared.pinned) content.pinned = compact(shared.pinned);
  if (shared.target !== '1') content.target = shared.target;
  if (shared.baseline !== 0.001) content.baseline = shared.baseline;
  return version + encode(JSON.stringify(content));
}

class Fault extends Error {}

function text(value: unknown, usual: string, what: string): string {
  if (value === undefined) return usual;
  if (typeof value !== 'string' || value.length > 10_000) throw new Fault(`${what} is no text`);
  return value;
}

function among<T extends string>(value: unknown, allowed: readonly T[], usual: T, what: string): T {
  if (value === undefined) return usual;
  if (!allowed.includes(value as T)) throw new Fault(`${what} is none of ${allowed.join(', ')}`);
  return value as T;
}

function texts(value: unknown, what: string): Record<string, string> {
  if (value === undefined) return {};
  if (!isObject(value)) throw new Fault(`${what} is no object`);
  return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, text(content, '', `${what}.${name}`)]));
}

function readRun(value: unknown): Run {
  if (value === undefined) return initial.run;
  if (!isObject(value)) throw new Fault('run is no object');
  const run = initial.run;
  const number = (key: keyof Run) => text(value[key], run[key], `run.${key}`);
  return {
    dataset_size: number('dataset_size'),
    batch_size: number('batch_size'),
    length: among(value.length, ['epochs', 'steps'] as const, run.length, 'run.length'),
    epochs: number('epochs'),
    steps: number('steps'),
    noise_multiplier: number('noise_multiplier'),
    sampling: among<Scheme>(value.sampling, schemes, run.sampling, 'run.sampling'),
    batch_limit: number('batch_limit'),
  };
}

function readStep(value: unknown, index: number): Step {
  const what = `steps[${index}]`;
  if (!isObject(value)) throw new Fault(`${what} is no object`);
  const { sampling } = value;
  if (sampling !== undefined && sampling !== null && !isObject(sampling)) throw new Fault(`${what}.sampling is no object`);
  return mechanismStep(text(value.kind, '', `${what}.kind`), texts(value.values, `${what}.values`), {
    tables: texts(value.tables, `${what}.tables`),
    sampling: sampling
      ? {
          scheme: among<Scheme>(sampling.scheme, schemes, 'poisson', `${what}.sampling.scheme`),
          values: texts(sampling.values, `${what}.sampling.values`),
        }
      : null,
    count: text(value.count, '1', `${what}.count`),
    name: text(value.name, '', `${what}.name`),
    comment: text(value.comment, '', `${what}.comment`),
    form: text(value.form, '', `${what}.form`),
  });
}

function readConfiguration(value: unknown): Configuration {
  if (!isObject(value)) throw new Fault('a configuration is no object');
  const { steps } = value;
  if (steps !== undefined && (!Array.isArray(steps) || steps.length > 500)) throw new Fault('steps is no list of up to 500 steps');
  return {
    mode: among(value.mode, ['run', 'plan'] as const, initial.mode, 'mode'),
    run: readRun(value.run),
    steps: steps === undefined ? initial.steps : steps.map(readStep),
    delta: text(value.delta, initial.delta, 'delta'),
    neighbors: among<Relation>(value.neighbors, relations, initial.neighbors, 'neighbors'),
    unit: text(value.unit, initial.unit, 'unit'),
  };
}

/** Reads a fragment without its #. An empty one is the first state. */
export function read(fragment: string): Shared | { fault: string } {
  if (fragment === '') return { configuration: initial, pinned: null, target: '1', baseline: 0.001 };
  try {
    if (!fragment.startsWith(version)) throw new Fault('its version is not known here');
    if (fragment.length > longest) throw new Fault('it is too long');
    const content: unknown = JSON.parse(decode(fragment.slice(version.length)));
    if (!isObject(content)) throw new Fault('it holds no state');
    const { baseline } = content;
    if (baseline !== undefined && !(typeof baseline === 'number' && baseline > 0 && baseline < 1)) throw new Fault('baseline is no probability');
    return {
      configuration: readConfiguration(content.now ?? {}),
      pinned: content.pinned === undefined ? null : readConfiguration(content.pinned),
      target: text(content.target, '1', 'target'),
      baseline: baseline ?? 0.001,
    };
  } catch (failure) {
    return { fault: failure instanceof Fault ? failure.message : 'it is damaged' };
  }
}
