// The engines of the page: one for the number, which must be quick, one for coarse figures, which follow a slider, one for
// fine ones, one for the odds of an outcome, which may take seconds, and one for what is clicked on. They share one compiled
// module, and start when they are first needed.
import { compile } from '@renyi/engine';
import { Asker } from './asker';

const module = compile();

const lazy = () => {
  let asker: Asker | undefined;
  return () => (asker ??= new Asker(module));
};

export const numberEngine = new Asker(module);
export const figureEngines = { coarse: lazy(), fine: lazy() };
export const oddsEngine = lazy();
/** For calibration, statements and the catalogue. */
export const clickEngine = lazy();
