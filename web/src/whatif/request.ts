// Requests of the engine for a configuration, and the field of the page that a path in an error belongs to.
import type { Request } from '../engine/answers';
import { typed } from '../app/numbers';
import type { Configuration, Run, Step } from './configuration';

/** A number where the text is one; else the text itself, which the engine refuses with the path of the field. */
const value = (text: string): number | string => typed(text) ?? text;

export function runOf(run: Run): Request {
  const request: Request = {
    dataset_size: value(run.dataset_size),
    batch_size: value(run.batch_size),
    [run.length]: value(run[run.length]),
    noise_multiplier: value(run.noise_multiplier),
  };
  if (run.sampling !== 'poisson') request.sampling = run.sampling;
  if (run.sampling === 'truncated-poisson') request.batch_limit = value(run.batch_limit);
  return request;
}

/** Tables are typed as JSON; what is none is passed on as text, which the engine refuses at the right place. */
function table(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export function stepOf(step: Step): Request {
  const labels: Request = {};
  if (step.name.trim()) labels.name = step.name.trim();
  if (step.comment.trim()) labels.comment = step.comment.trim();
  if (step.form) {
    const form = table(step.form);
    return typeof form === 'object' && form !== null ? { ...(form as Request), ...labels } : (form as Request);
  }
  const request: Request = { mechanism: step.kind };
  for (const [name, text] of Object.entries(step.values)) if (text.trim()) request[name] = value(text);
  for (const [name, text] of Object.entries(step.tables)) if (text.trim()) request[name] = table(text);
  if (step.sampling) {
    const sampling: Request = { scheme: step.sampling.scheme };
    for (const [name, text] of Object.entries(step.sampling.values)) {
      if (text.trim()) sampling[name] = text.trim() === 'true' || value(text); // "padded" is the one that is no number
    }
    request.sampling = sampling;
  }
  if (step.count.trim() !== '1') request.count = value(step.count);
  return { ...request, ...labels };
}

/** What a request says about what is run: the run or the steps, the relation and the unit. */
export function subjectOf(configuration: Configuration): Request {
  const subject: Request =
    configuration.mode === 'run'
      ? { run: runOf(configuration.run) }
      : { steps: configuration.steps.map((step) => stepOf(step)) };
  if (configuration.neighbors !== 'add-or-remove-one') subject.neighbors = configuration.neighbors;
  if (configuration.unit.trim() !== '1') subject.unit = value(configuration.unit);
  return subject;
}

export const epsilonRequest = (configuration: Configuration): Request => ({
  op: 'epsilon',
  ...subjectOf(configuration),
  delta: value(configuration.delta),
});

/** The plan file of a configuration in plan mode. */
export function planOf(configuration: Configuration): Request {
  const { neighbors = 'add-or-remove-one', ...rest } = subjectOf({ ...configuration, mode: 'plan' });
  return { renyi: 1, neighbors, ...rest };
}

/**
 * The control that shows an error at a path. A run that is given by epochs has no control for its steps, and what
 * belongs to no control is shown beside the result.
 */
export function fieldOfPath(path: string, configuration: Configuration): string | undefined {
  if (path === 'delta' || path === 'unit' || path === 'neighbors') return path;
  if (configuration.mode === 'run') {
    const name = /^run\.(\w+)/.exec(path)?.[1];
    if (name === undefined || !(name in configuration.run)) return undefined;
    return name === 'steps' || name === 'epochs' ? 'length' : name;
  }
  const step = /^steps\[(\d+)\](?:\.(sampling\.)?(\w+))?/.exec(path);
  if (!step) return undefined;
  const number = Number(step[1]);
  const content = configuration.steps[number];
  if (!content) return undefined;
  const field = step[3];
  if (content.form) return field === 'name' || field === 'comment' ? `${number}.${field}` : `${number}.form`;
  if (field === undefined) return `${number}.kind`;
  if (step[2]) return `${number}.sampling.${field}`;
  if (field === 'sampling') return `${number}.sampling`;
  return field === 'mechanism' ? `${number}.kind` : `${number}.${field}`;
}

/** The request with null at the place of a field, for calibration. */
export function withUnknown(request: Request, path: string): Request {
  const copy = structuredClone(request);
  const keys = path.replace(/\[(\d+)\]/g, '.$1').split('.');
  let place = copy as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) place = place[key] as Record<string, unknown>;
  place[keys[keys.length - 1] ?? ''] = null;
  return copy;
}
