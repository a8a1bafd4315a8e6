// Places of a slider and the numbers that they stand for.
import { nearest } from '../app/numbers';

export interface Range {
  low: number;
  high: number;
  log: boolean;
  whole: boolean;
}

export const positions = 1000;

/** Where a number lies on its slider; numbers beyond its ends lie at them. */
export function placeOf(value: number, range: Range): number {
  const place = range.log ? Math.log : (x: number) => x;
  const share = (place(Math.max(value, range.low)) - place(range.low)) / (place(range.high) - place(range.low));
  return Math.round(positions * Math.min(1, Math.max(0, share)));
}

/** The number at a place of the slider, in three digits. */
export function numberAt(position: number, range: Range): string {
  const share = position / positions;
  const value = range.log ? range.low * (range.high / range.low) ** share : range.low + (range.high - range.low) * share;
  const short = Number(value.toPrecision(3));
  return nearest(range.whole ? Math.max(range.low, Math.round(short)) : Math.max(range.low, short), 12);
}

/**
 * The number that a slider was moved to. Where neighbouring places have the same digits, it goes on in the direction of the
 * move to the next number, so that an arrow key always changes something.
 */
export function movedTo(position: number, before: number | undefined, range: Range): string {
  if (before === undefined) return numberAt(position, range);
  const direction = Math.sign(position - placeOf(before, range));
  let place = position;
  while (direction !== 0 && Number(numberAt(place, range)) === before && place > 0 && place < positions) place += direction;
  return numberAt(place, range);
}
