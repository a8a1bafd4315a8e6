// How many steps still fit: asked of the ledger, which alone knows. A refusal says how many such charges would fit, so that
// one question with more than can ever fit tells the number; where it does not, it is searched for.
import type { Receipt } from './answers';

/** More than any budget admits of a step that costs something, and a number that JSON keeps. */
export const beyond = 1e15;

export interface Fit {
  /** How many fit; `beyond` stands for "no limit", since the step costs nothing. */
  count: number;
  questions: number;
}

export async function howManyFit(mayRun: (count: number) => Promise<Receipt>): Promise<Fit> {
  let questions = 0;
  const fits = async (count: number): Promise<boolean | number> => {
    ++questions;
    const receipt = await mayRun(count);
    if (receipt.accepted) return true;
    return receipt.fitting_count ?? false;
  };
  const all = await fits(beyond);
  if (all === true) return { count: beyond, questions };
  if (typeof all === 'number') return { count: all, questions };
  let low = 0;
  let high = 1;
  while (high < beyond) {
    const answer = await fits(high);
    if (typeof answer === 'number') return { count: answer, questions };
    if (!answer) break;
    low = high;
    high *= 8;
  }
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    const answer = await fits(middle);
    if (typeof answer === 'number') return { count: answer, questions };
    if (answer) low = middle;
    else high = middle;
  }
  return { count: low, questions };
}
