// The requests and answers of the engine that this page uses; docs/format/requests.md describes them all.

export interface EngineError {
  kind: string;
  message: string;
  path: string;
}

export interface Interval {
  lower: number | 'inf';
  upper: number | 'inf';
}

export interface Unavailable {
  unavailable: string;
}

export type Standing = 'attained' | 'promised' | 'dominated';

export interface Exact extends Interval {
  engine: 'closed-form' | 'contour' | 'lattice' | 'bounds';
  direction: 'remove' | 'add';
  remove: Interval;
  add: Interval;
  standing: Standing;
  note?: string;
}

export interface RenyiBound {
  epsilon?: number | 'inf';
  delta?: number;
  order: number | 'inf';
  conversion: string;
}

export interface RunFacts {
  steps?: number | null;
  rules: string[];
}

export interface Warning {
  kind: string;
  message: string;
}

export interface Cost {
  renyi?: RenyiBound | Unavailable;
  exact?: Exact | Unavailable;
  note?: string;
  assumes?: string;
  limit?: string;
  run?: RunFacts;
  warnings?: Warning[];
  under_poisson?: { epsilon_estimate?: number };
  sampling?: { path: string; overflow_probability: number }[];
}

export interface Calibration extends Cost {
  value: number;
  extreme: 'smallest' | 'largest' | 'last';
  parameter: string;
  path: string;
  by: string;
  rounded?: { value: number; epsilon?: number; delta?: number; unspent: number };
}

export interface Outcome {
  baseline: number;
  exact: Interval | Unavailable;
  renyi: Interval | Unavailable;
}

export interface Explanation {
  outcomes: Outcome[];
  shares?: { steps?: { path: string; name?: string; mechanism: string; count: number; share?: number }[] };
}

export interface Statement {
  plan: object;
  markdown: string;
  html: string;
}

export type Request = Record<string, unknown>;
export type Answer<T> = (T & { error?: undefined }) | { error: EngineError };

export const isUnavailable = (part: object | undefined): part is Unavailable =>
  part === undefined || 'unavailable' in part;

/** The exact part of an answer, where there is one. */
export const exactOf = (cost: Cost): Exact | undefined =>
  isUnavailable(cost.exact) ? undefined : (cost.exact as Exact);

/** The Rényi bound of an answer, where there is one. */
export const renyiOf = (cost: Cost): RenyiBound | undefined =>
  isUnavailable(cost.renyi) ? undefined : (cost.renyi as RenyiBound);

/** Infinity is a text in answers. */
export const numberOf = (value: number | 'inf' | undefined): number =>
  value === 'inf' ? Infinity : (value ?? NaN);
