// The rule by which a curve continues between its points (docs/format/figure.md, "Rules"), and its evaluation. Between two
// points every formula is a sum of terms of one sign, so that no digits are lost.

export type Rule =
  | 'linear'
  | 'linear-in-exp-x'
  | 'linear-in-exp-y'
  | 'linear-in-log-x'
  | 'linear-in-log-y'
  | 'log-log'
  | 'log-log-complement'
  | 'log-moment'
  | 'next'
  | 'previous';

/** Points with ascending x; y may be infinite, and NaN where it is unknown. */
export interface Curve {
  x: number[];
  y: number[];
  rule: Rule;
}

/** The weights of both points at x, in the coordinate in which the rule is straight. */
function weights(rule: Rule, x: number, x0: number, x1: number): [number, number] {
  const { exp, expm1, log, log1p } = Math;
  switch (rule) {
    case 'linear-in-exp-x':
      return [expm1(x - x1) / expm1(x0 - x1), (exp(x - x1) * expm1(x0 - x)) / expm1(x0 - x1)];
    case 'linear-in-log-x':
    case 'log-log':
      return [log(x1 / x) / log(x1 / x0), log(x / x0) / log(x1 / x0)];
    case 'log-log-complement': {
      const length = log1p(-x1) - log1p(-x0);
      return [(log1p(-x1) - log1p(-x)) / length, (log1p(-x) - log1p(-x0)) / length];
    }
    default:
      return [(x1 - x) / (x1 - x0), (x - x0) / (x1 - x0)];
  }
}

/** The value of the rule at x between the points (x0, y0) and (x1, y1), x0 <= x <= x1. */
export function valueBetween(rule: Rule, x0: number, y0: number, x1: number, y1: number, x: number): number {
  if (x <= x0) return y0;
  if (x >= x1) return y1;
  if (rule === 'next') return y1;
  if (rule === 'previous') return y0;
  if (!Number.isFinite(y0 + y1)) return Number.isNaN(y0 + y1) ? NaN : Infinity;
  const [u, w] = weights(rule, x, x0, x1);
  switch (rule) {
    case 'linear-in-exp-y': {
      const most = Math.max(y0, y1);
      return most + Math.log(u * Math.exp(y0 - most) + w * Math.exp(y1 - most));
    }
    case 'linear-in-log-y':
    case 'log-log':
      return Math.exp(u * Math.log(y0) + w * Math.log(y1));
    case 'log-log-complement':
      return -Math.expm1(u * Math.log1p(-y0) + w * Math.log1p(-y1));
    case 'log-moment':
      return x > 1 ? (u * (x0 - 1) * y0 + w * (x1 - 1) * y1) / (x - 1) : y1;
    default:
      return u * y0 + w * y1;
  }
}

/** The value of the curve; NaN outside of its points and where it is unknown. Where it jumps, the larger value if `up`. */
export function valueAt({ x: xs, y: ys, rule }: Curve, x: number, up = true): number {
  let [low, high] = [0, xs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (xs[middle]! < x) low = middle + 1;
    else high = middle;
  }
  if (xs[low] !== x) {
    if (low === 0 || low === xs.length) return NaN;
    return valueBetween(rule, xs[low - 1]!, ys[low - 1]!, xs[low]!, ys[low]!, x);
  }
  let value = ys[low]!;
  for (; xs[low] === x; ++low) value = (up ? Math.max : Math.min)(value, ys[low]!);
  return value;
}
