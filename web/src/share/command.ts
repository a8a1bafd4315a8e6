// The same question elsewhere: the command line and the line of Python that give the number on the page.
import type { Configuration } from '../whatif/configuration';
import { planOf, runOf, subjectOf } from '../whatif/request';

/** A text in single quotes for a POSIX shell. */
const quoted = (text: string) => `'${text.replace(/'/g, `'\\''`)}'`;

/** Numbers stand as they are; everything else that was typed is quoted, so that a pasted line runs nothing. */
const word = (value: unknown) => (/^[\w.+-]+$/.test(String(value)) ? String(value) : quoted(String(value)));

const flag = (name: string) => `--${name.replace(/_/g, '-')}`;

export function commandOf(configuration: Configuration): string {
  const delta = `--delta ${word(configuration.delta.trim())}`;
  if (configuration.mode === 'plan') {
    return `echo ${quoted(JSON.stringify(planOf(configuration)))} | renyi epsilon - ${delta}`;
  }
  const { run: _run, ...rest } = subjectOf(configuration);
  const flags = Object.entries({ ...runOf(configuration.run), ...rest }).map(([name, value]) => `${flag(name)} ${word(value)}`);
  return ['renyi epsilon', ...flags, delta].join(' ');
}

/** A literal of Python: numbers as JavaScript writes them, texts in quotes. */
const literal = (value: unknown) => (typeof value === 'number' ? String(value) : JSON.stringify(value));

export function pythonOf(configuration: Configuration): string {
  const delta = configuration.delta.trim();
  const last = `delta=${/^[\d.e+-]+$/i.test(delta) ? delta : JSON.stringify(delta)}`;
  if (configuration.mode === 'plan') {
    const plan = JSON.stringify(planOf(configuration)).replace(/\\/g, '\\\\').replace(/'/g, "\\'");
    return `renyi.epsilon(renyi.Plan.from_json('${plan}'), ${last})`;
  }
  const { run: _run, ...rest } = subjectOf(configuration);
  const parts = Object.entries({ ...runOf(configuration.run), ...rest }).map(([name, value]) => `${name}=${literal(value)}`);
  return `renyi.epsilon(${[...parts, last].join(', ')})`;
}
