// A curve as lines on paper: steps as they are, and every other rule as a polygon so fine that nobody sees that it is one.
import type { Axis } from './figure';
import { type Curve, valueBetween } from './rule';

export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Where values lie in a frame. */
export interface Paper {
  x: (value: number) => number;
  y: (value: number) => number;
  valueAtX: (place: number) => number;
}

/** Values outside of the frame lie just outside of it; what is infinite or unknown lies nowhere. */
export function paperOf(x: Axis, y: Axis, frame: Frame): Paper {
  const outside = 30;
  const scale = ({ scale: kind, range }: Axis, from: number, to: number) => {
    const place = kind === 'log' ? Math.log10 : (value: number) => value;
    const [low, high] = [place(range[0]), place(range[1])];
    const [least, most] = [Math.min(from, to) - outside, Math.max(from, to) + outside];
    return {
      to: (value: number) => (Math.abs(value) < Infinity ? Math.min(most, Math.max(least, from + ((place(value) - low) / (high - low)) * (to - from))) : NaN),
      back: (at: number) => {
        const value = low + ((at - from) / (to - from)) * (high - low);
        return kind === 'log' ? 10 ** value : value;
      },
    };
  };
  const across = scale(x, frame.left, frame.right);
  return { x: across.to, y: scale(y, frame.bottom, frame.top).to, valueAtX: across.back };
}

export type Dot = [number, number];

/** No chord is further from the rule than this, in pixels. */
const tolerance = 0.1;
/** Chords are compared with the rule at their middles, so that they begin short. */
const longest = 8;

/** Appends dots between a and b, for a curve whose height at a place is given. */
function refine(line: Dot[], a: Dot, b: Dot, height: (place: number) => number): void {
  const at = (a[0] + b[0]) / 2;
  if (!(at > a[0] && at < b[0])) return;
  const middle: Dot = [at, height(at)];
  if (Math.abs(middle[1] - (a[1] + b[1]) / 2) < tolerance && b[0] - a[0] < longest) return;
  refine(line, a, middle, height);
  line.push(middle);
  refine(line, middle, b, height);
}

/** Lines end where the curve is infinite or unknown. */
export function linesOf({ x: xs, y: ys, rule }: Curve, paper: Paper): Dot[][] {
  const lines: Dot[][] = [[]];
  for (let index = 1; index < xs.length; ++index) {
    const line = lines[lines.length - 1]!;
    const [x0, x1, y0, y1] = [xs[index - 1]!, xs[index]!, ys[index - 1]!, ys[index]!];
    const [from, to] = [paper.x(x0), paper.x(x1)];
    // A step has the value of one of its ends, whatever the other one is.
    const begin: Dot = [from, paper.y(rule === 'next' ? y1 : y0)];
    const end: Dot = [to, paper.y(rule === 'previous' ? y0 : y1)];
    if (!Number.isFinite(begin[1] + end[1])) {
      if (line.length > 0) lines.push([]);
      continue;
    }
    if (line.length === 0 || rule === 'next' || rule === 'previous') line.push(begin);
    refine(line, begin, end, (place) => paper.y(valueBetween(rule, x0, y0, x1, y1, paper.valueAtX(place))));
    line.push(end);
  }
  return lines.filter((line) => line.length > 1);
}
