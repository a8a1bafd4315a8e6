// A figure as the engine answers it (docs/format/figure.md): what the live plot, the table and every file are made from.
import { type Curve, type Rule, valueAt } from './rule';

export interface Axis {
  label: string;
  scale: 'linear' | 'log';
  range: [number, number];
}

export interface Series extends Curve {
  name: string;
  role: 'exact' | 'renyi' | 'other' | 'reference' | 'highlight';
  /** Of two that are compared: 0 is A, 1 is B. */
  run?: number;
  shape: string;
  bound: 'upper' | 'lower' | 'estimate';
  lower?: Curve;
}

export interface Mark {
  x?: number;
  y?: number;
  text: string;
  run?: number;
}

export interface Figure {
  title: string;
  subtitle: string;
  note?: string;
  x: Axis;
  y: Axis;
  series: Series[];
  marks: Mark[];
}

/** A curve in JSON, where infinity is a text, what is unknown null, and curves that are no lines have no rule. */
interface Written {
  x: number[];
  y: (number | 'inf' | null)[];
  rule?: Rule;
}
type WrittenSeries = Omit<Series, 'y' | 'rule' | 'lower'> & Written & { lower?: Written };

export interface FigureAnswer {
  figure: Omit<Figure, 'series'> & { series: WrittenSeries[] };
}

const read = ({ x, y, rule = 'linear' }: Written): Curve => ({ x, y: y.map((value) => (value === 'inf' ? Infinity : (value ?? NaN))), rule });

/** The lines of an answer, and its marks that have a place. The page asks for no figure that is made of anything else. */
export const figureOf = ({ figure }: FigureAnswer): Figure => ({
  ...figure,
  marks: figure.marks.filter(({ x = 0, y = 0 }) => Number.isFinite(x) && Number.isFinite(y)),
  series: figure.series
    .filter(({ shape }) => shape === 'line')
    .map((series) => ({ ...series, ...read(series), lower: series.lower && read(series.lower) })),
});

export interface Stroke {
  colour: 'current' | 'pinned' | 'reference';
  dash: 'solid' | 'dashed' | 'dotted';
}

/** What a curve is drawn with: whose it is gives the colour, and exact curves are solid. */
export function strokeOf({ role, run }: Pick<Series, 'role' | 'run'>): Stroke {
  return {
    colour: role === 'reference' ? 'reference' : run === 0 ? 'pinned' : 'current',
    dash: role === 'exact' ? 'solid' : role === 'other' ? 'dotted' : 'dashed',
  };
}

/** Other marks are lines across the frame. */
export const isPoint = ({ x, y }: Mark): boolean => x !== undefined && y !== undefined;

/** The least upper bound that the curves prove at x; undefined where they prove none. */
export function upperAt({ series }: Figure, x: number): number | undefined {
  const values = series.filter(({ bound }) => bound === 'upper').map((one) => valueAt(one, x));
  const least = Math.min(...values.filter((value) => !Number.isNaN(value)));
  return Number.isFinite(least) ? least : undefined;
}

/** Every abscissa of every curve with all values there, by the rules: the ends of bounds as they are, unrounded. */
export function csvOf(figure: Figure): string {
  const columns = figure.series.flatMap((one) => [
    { name: one.lower ? `${one.name}, upper end` : one.name, at: (x: number) => valueAt(one, x, one.bound !== 'lower') },
    ...(one.lower ? [{ name: `${one.name}, lower end`, at: (x: number) => valueAt(one.lower!, x, false) }] : []),
  ]);
  const xs = [...new Set(figure.series.flatMap(({ x, lower }) => [...x, ...(lower?.x ?? [])]))].sort((a, b) => a - b);
  const quoted = (text: string) => `"${text.replace(/"/g, '""')}"`;
  const cell = (value: number) => (Number.isNaN(value) ? '' : value === Infinity ? 'inf' : String(value));
  const rows = xs.map((x) => [x, ...columns.map(({ at }) => at(x))].map(cell));
  return [[figure.x.label, ...columns.map(({ name }) => name)].map(quoted), ...rows].map((row) => `${row.join(',')}\n`).join('');
}

/** Positions of labelled lines on an axis: round numbers, or powers of ten. */
export function ticks({ scale, range: [low, high] }: Pick<Axis, 'scale' | 'range'>, most: number): number[] {
  if (scale === 'log') {
    const first = Math.ceil(Math.log10(low) - 1e-9);
    const last = Math.floor(Math.log10(high) + 1e-9);
    const every = Math.max(1, Math.ceil((last - first + 1) / most));
    const powers: number[] = [];
    for (let power = last; power >= first; power -= every) powers.unshift(10 ** power);
    return powers;
  }
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? rough;
  const marks: number[] = [];
  for (let mark = Math.ceil(low / step - 1e-9) * step + 0; mark <= high * (1 + 1e-9); mark += step) marks.push(mark);
  return marks;
}
