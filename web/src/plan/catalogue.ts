// The catalogue of mechanisms, as the engine states it: nothing about a mechanism is written down in this page.
import { signal } from '@preact/signals';
import { clickEngine } from '../engine/engines';
import type { Scheme, Step } from '../whatif/configuration';
import { editable } from './editable';

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
  const answer = await clickEngine().ask<Catalogue>({ op: 'mechanisms' });
  if (!answer.error) catalogue.value = answer;
}

/** A new step of a kind: the example of the catalogue, which shows a number for everything that must be given. */
export const exampleOf = (mechanism: Mechanism): Step => editable(mechanism.example);
