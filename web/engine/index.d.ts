// Requests and answers are those of docs/format/requests.md, which says what every member means.

/** A number, or "inf" where the document names it. */
export type Extended = number | 'inf';
export type Neighbors = 'add-or-remove-one' | 'replace-one' | 'zero-out' | (string & {});

export interface Sampling {
  scheme: string;
  [member: string]: unknown;
}

/** A step of a plan: a mechanism with its numbers, or a group. */
export interface Step {
  mechanism?: string;
  count?: number | null;
  sampling?: Sampling;
  plan?: Step[];
  [member: string]: unknown;
}

/** A training run given by its sizes. */
export interface Run {
  dataset_size?: number | null;
  batch_size?: number | null;
  accumulation?: number;
  epochs?: number | null;
  steps?: number | null;
  sampling_rate?: number | null;
  sampling?: string;
  batch_limit?: number | null;
  noise_multiplier?: number | null;
  mechanism?: string;
  [member: string]: unknown;
}

export interface Common {
  id?: string | number | null;
  time_limit?: number;
  memory?: number;
}

/** Either the steps or the run. */
export interface AboutPlan extends Common {
  steps?: Step[];
  run?: Run;
  neighbors?: Neighbors;
  unit?: number | null;
}

export interface FigureOptions extends AboutPlan {
  orders?: Extended[] | 'traditional';
  conversion?: 'tight' | 'classical';
  method?: string;
  want?: ('renyi' | 'exact')[];
  tolerance?: number;
}

export interface EpsilonRequest extends FigureOptions { op: 'epsilon'; delta: number }
export interface DeltaRequest extends FigureOptions { op: 'delta'; epsilon: Extended }
export interface ProfileRequest extends FigureOptions { op: 'profile'; epsilons?: number[]; deltas?: number[] }
export interface RdpRequest extends AboutPlan {
  op: 'rdp';
  orders?: Extended[] | 'traditional';
  direction?: Direction;
  method?: 'quadrature' | 'integer' | 'series' | 'closed-form';
  compare?: 'closed-form';
}
export interface CalibrateRequest extends FigureOptions {
  op: 'calibrate';
  epsilon: number | null;
  delta: number | null;
  by?: 'exact' | 'renyi';
  split?: number[] | 'equal-shares' | 'equal-error';
}
export interface TradeoffRequest extends AboutPlan { op: 'tradeoff'; type_1_errors?: number[]; tolerance?: number }
export interface ExplainRequest extends AboutPlan {
  op: 'explain';
  baseline?: number[];
  orders?: Extended[] | 'traditional';
  factors?: number[];
  delta?: number;
  group_size?: number;
}
export interface LossRequest extends AboutPlan {
  op: 'loss';
  direction?: Direction;
  orders?: number[];
  at_least?: number[];
  within?: number[];
}
export interface MechanismsRequest extends Common { op: 'mechanisms'; kind?: string }
export interface ReportRequest extends AboutPlan { op: 'report'; delta: number; formats?: string[]; [member: string]: unknown }
/** Every other operation. */
export interface OtherRequest extends Common {
  op: 'accuracy' | 'figure' | 'filter' | 'matrix-design' | 'filter-design' | 'odometer' | 'compare' | 'relate' | 'divergence' | 'convert' | 'certify' | 'verify' | 'ledger';
  [member: string]: unknown;
}

export type Request =
  | EpsilonRequest | DeltaRequest | ProfileRequest | RdpRequest | CalibrateRequest | TradeoffRequest | ExplainRequest
  | LossRequest | MechanismsRequest | ReportRequest | OtherRequest;

export type Direction = 'remove' | 'add';
export interface Unavailable { unavailable: string }
export interface Interval { lower: Extended; upper: Extended }
export interface DirectedInterval extends Interval { engine: string }
export interface RenyiBound { order: Extended; conversion: string; delta_apart?: number; method?: string }
export interface Exact extends Interval {
  engine: string;
  direction: Direction;
  remove: DirectedInterval;
  add: DirectedInterval;
  note?: string;
  standing: 'attained' | 'promised' | 'dominated';
}
export interface Failure {
  kind: 'invalid_argument' | 'unsupported' | 'not_converged' | 'limit_reached' | 'internal' | (string & {});
  message: string;
  path: string;
}
export interface ErrorAnswer { error: Failure; id?: string | number | null }
export interface AnswerBase {
  error?: undefined;
  id?: string | number | null;
  limit?: string;
  note?: string;
  assumes?: string;
  run?: { steps?: number; sampling?: Sampling; rules: string[] };
  warnings?: { kind: string; message: string }[];
}
export interface EpsilonAnswer extends AnswerBase {
  renyi?: (RenyiBound & { epsilon: Extended }) | Unavailable;
  exact?: Exact | Unavailable;
  [member: string]: unknown;
}
export interface DeltaAnswer extends AnswerBase {
  renyi?: (RenyiBound & { delta: number }) | Unavailable;
  exact?: Exact | Unavailable;
  [member: string]: unknown;
}
export interface ProfileAnswer extends AnswerBase {
  at_epsilons: (DeltaAnswer & { epsilon: number })[];
  at_deltas?: (EpsilonAnswer & { delta: number })[];
}
export interface RdpAnswer extends AnswerBase { rdp: Extended[]; orders?: Extended[]; [member: string]: unknown }
export interface CalibrateAnswer extends AnswerBase {
  value?: number;
  extreme?: 'smallest' | 'largest' | 'last';
  parameter?: string;
  path?: string;
  by: 'exact' | 'renyi';
  rounded: { value?: number; epsilon?: number; delta?: number; unspent?: number };
  [member: string]: unknown;
}
export interface TradeoffPoint {
  type_1_error: number;
  type_2_error: Interval;
  power: Interval;
  direction: Direction;
  [member: string]: unknown;
}
export interface TradeoffAnswer extends AnswerBase { points: TradeoffPoint[]; advantage: Interval }
export interface OtherAnswer extends AnswerBase { [member: string]: unknown }

type Of<R> =
  R extends EpsilonRequest ? EpsilonAnswer :
  R extends DeltaRequest ? DeltaAnswer :
  R extends ProfileRequest ? ProfileAnswer :
  R extends RdpRequest ? RdpAnswer :
  R extends CalibrateRequest ? CalibrateAnswer :
  R extends TradeoffRequest ? TradeoffAnswer :
  OtherAnswer;

/** The answer to a request of this type, or an error. */
export type AnswerTo<R> = Of<R> | ErrorAnswer;
export type Answer = OtherAnswer | ErrorAnswer;

export interface Engine {
  /** Answers a request. Never throws: an engine that stops is an error of the kind "internal". */
  ask<R extends Request>(request: R): AnswerTo<R>;
  ask(request: string): Answer;
  /** The same for a line of JSON, whose answer is a line. */
  askText(line: string): string;
  readonly version: string;
}

/** Makes an engine in this thread, of a compiled module, of the bytes of renyi.wasm, or of its address. */
export function createEngine(options?: {
  wasm?: WebAssembly.Module | ArrayBuffer | ArrayBufferView | string | URL;
}): Promise<Engine>;

/** Reads and compiles renyi.wasm: the one of the package, or that at `url`. */
export function compile(url?: string | URL): Promise<WebAssembly.Module>;
