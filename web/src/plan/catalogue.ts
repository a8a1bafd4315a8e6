// The catalogue of mechanisms, as the engine states it: nothing about a mechanism is written down in this page.
import { signal } from '@preact/signals';
import { backgroundEngine } from '../engine/engines';
import { mechanismStep, type Scheme, type Step } from '../whatif/configuration';

export interface Parameter {
  name: string;
  meaning: string;
  allowed: string;
  default?: number;
  may_be_left_out?: boolean;
}

export interface Table {
  name: string;
  meaning: string;
}

export interface Mechanism {
  kind: string;
  summary: string;
  relation: string;
  parameters: Parameter[];
  aliases: { name: string; parameter: string; excludes?: string }[];
  tables: Table[];
  sampling: string | { unavailable: string };
  example: Record<string, unknown>;
}

export interface SchemeEntry {
  scheme: Scheme;
  summary: string;
  parameters: Parameter[];
}

export interface Form {
  key: string;
  summary: string;
  example: Record<string, unknown>;
}

export interface Catalogue {
  mechanisms: Mechanism[];
  schemes: SchemeEntry[];
  forms: Form[];
}

export const catalogue = signal<Catalogue | undefined>(undefined);
let asked = false;

/** Asks for the catalogue when the plan editor is first shown. */
export async function loadCatalogue(): Promise<void> {
  if (asked) return;
  asked = true;
  const answer = await backgroundEngine().ask<Catalogue>({ op: 'mechanisms' });
  if (!answer.error) catalogue.value = answer;
}

const texts = (values: Record<string, unknown>, names: string[]): Record<string, string> =>
  Object.fromEntries(names.filter((name) => name in values).map((name) => [name, String(values[name])]));

/** A step as the editor holds it, from a step of a plan file. */
export function editable(step: Record<string, unknown>): Step {
  const { mechanism, sampling, count, name, comment, ...rest } = step;
  const labels = {
    count: count === undefined ? '1' : String(count),
    name: typeof name === 'string' ? name : '',
    comment: typeof comment === 'string' ? comment : '',
  };
  if (typeof mechanism !== 'string') {
    const { name: _name, comment: _comment, ...form } = step;
    return mechanismStep('', {}, { ...labels, count: '1', form: JSON.stringify(form, null, 1) });
  }
  const numbers = Object.keys(rest).filter((key) => !Array.isArray(rest[key]));
  const tables = Object.keys(rest).filter((key) => Array.isArray(rest[key]));
  const drawn = sampling as ({ scheme: Scheme } & Record<string, unknown>) | undefined;
  return mechanismStep(mechanism, texts(rest, numbers), {
    ...labels,
    tables: Object.fromEntries(tables.map((key) => [key, JSON.stringify(rest[key])])),
    sampling: drawn
      ? { scheme: drawn.scheme, values: texts(drawn, Object.keys(drawn).filter((key) => key !== 'scheme')) }
      : null,
  });
}

/** A new step of a kind: the example of the catalogue, which shows a number for everything that must be given. */
export const exampleOf = (mechanism: Mechanism): Step => editable(mechanism.example);
