// The engines of the page: one for the number, which must be quick, one for the curves, and one for what takes longer.
// They share one compiled module, and the second and the third start when they are first needed.
import { compile } from '@renyi/engine';
import { Asker } from './asker';

const module = compile();

const lazy = () => {
  let asker: Asker | undefined;
  return () => (asker ??= new Asker(module));
};

export const numberEngine = new Asker(module);
export const curveEngine = lazy();
/** For calibration, statements and the catalogue. */
export const backgroundEngine = lazy();
