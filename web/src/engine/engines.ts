// The engines of the page: one for the number, which must be quick, one for the curves, and one for what takes longer.
// They share one compiled module.
import { compile } from '@renyi/engine';
import { Asker } from './asker';

const module = compile();

export const numberEngine = new Asker(module);
export const curveEngine = new Asker(module);

let background: Asker | undefined;

/** For calibration, statements and the catalogue: made when it is first needed. */
export function backgroundEngine(): Asker {
  background ??= new Asker(module);
  return background;
}
