// A figure as data: what the live plot, the table, the SVG and the PNG are all made from.

export type Role = 'current' | 'pinned' | 'reference';

export interface Curve {
  label: string;
  role: Role;
  /** Exact curves are drawn solid, bounds dashed. */
  dashed: boolean;
  x: number[];
  y: number[];
}

export interface Axis {
  label: string;
  log: boolean;
  range: [number, number];
}

export interface Figure {
  title: string;
  summary: string;
  x: Axis;
  y: Axis;
  curves: Curve[];
}

/** Whether two figures look the same: the same points, by their lists, in the same frame. Titles and summaries may differ. */
export function looksLike(one: Figure, other: Figure): boolean {
  const sameAxis = (a: Axis, b: Axis) => a.log === b.log && a.label === b.label && a.range[0] === b.range[0] && a.range[1] === b.range[1];
  return (
    sameAxis(one.x, other.x) &&
    sameAxis(one.y, other.y) &&
    one.curves.length === other.curves.length &&
    one.curves.every((curve, index) => curve.x === other.curves[index]?.x && curve.y === other.curves[index]?.y)
  );
}

/** The value of a curve between its points: straight in the scales of the figure. Undefined outside of its points. */
export function valueAt(curve: Curve, x: number, xLog: boolean, yLog: boolean): number | undefined {
  const { x: xs, y: ys } = curve;
  if (xs.length === 0 || x < xs[0]! || x > xs[xs.length - 1]!) return undefined;
  let right = xs.findIndex((other) => other >= x);
  if (right <= 0) right = Math.min(1, xs.length - 1);
  const [x0, x1, y0, y1] = [xs[right - 1] ?? xs[0]!, xs[right]!, ys[right - 1] ?? ys[0]!, ys[right]!];
  if (x1 === x0) return y1;
  const along = xLog && x0 > 0 ? Math.log(x / x0) / Math.log(x1 / x0) : (x - x0) / (x1 - x0);
  if (yLog && y0 > 0 && y1 > 0) return y0 * Math.pow(y1 / y0, along);
  return y0 + (y1 - y0) * along;
}

/** Positions of labelled lines on an axis: round numbers, or powers of ten. */
export function ticks(axis: Axis, most: number): number[] {
  const [low, high] = axis.range;
  if (axis.log) {
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
