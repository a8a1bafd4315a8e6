// The figures of a configuration, as questions to the engine.
import { type Answer, type Cost, exactOf, numberOf, renyiOf, type Request } from '../engine/answers';
import type { Asker } from '../engine/asker';
import { figureOf, type Figure, type FigureAnswer, type Series } from '../plots/figure';
import type { Answered, Quality, Question } from '../plots/keeper';
import type { Configuration } from './configuration';
import { epsilonRequest } from './request';

export type Name = 'training' | 'profile' | 'attacker' | 'outcomes';

/** Seconds that a figure may take. At the limit the engine answers with the best that is known by then. */
const limit = { coarse: 1, fine: 5 };
/** Intervals of a picture may be wider than those of the number: their upper ends, which are drawn, hold all the same. */
const tolerance = { coarse: 1e-2, fine: 1e-3 };

function asked(request: Request): Question {
  return {
    key: JSON.stringify(request),
    ask: async (engine, quality) => {
      const answer = await engine.ask<FigureAnswer>({ ...request, quality, tolerance: tolerance[quality], time_limit: limit[quality] });
      return answer.error ? { fault: answer.error.message } : { figure: figureOf(answer) };
    },
  };
}

const stepsOf = { coarse: 8, fine: 24 };

/** Epsilon after each step of a plan, or after some of them. Between them nothing is run, and more steps never cost less. */
async function askStepByStep(whole: Request, engine: Asker, quality: Quality): Promise<Answered> {
  const steps = whole.steps as Request[];
  const every = Math.ceil(steps.length / stepsOf[quality]);
  const ends = [0, ...steps.map((_, index) => index + 1)].filter((end) => end % every === 0 || end === steps.length);
  const costs: Cost[] = [];
  for (const end of ends) {
    const answer: Answer<Cost> = await engine.ask<Cost>({ ...whole, steps: steps.slice(0, end), tolerance: tolerance[quality], time_limit: limit[quality] / 4 });
    if (answer.error) return { fault: answer.error.message };
    costs.push(answer);
  }
  const curve = (name: string, role: Series['role'], value: (cost: Cost) => number): Series[] => {
    const y = costs.map(value);
    return y.some(Number.isFinite) ? [{ name, role, shape: 'line', bound: 'upper', x: ends, y, rule: 'next' }] : [];
  };
  const series = [...curve('exact', 'exact', (cost) => numberOf(exactOf(cost)?.upper)), ...curve('Rényi (upper bound)', 'renyi', (cost) => numberOf(renyiOf(cost)?.epsilon))];
  const highest = Math.max(0, ...series.flatMap(({ y }) => y.filter(Number.isFinite)));
  const figure: Figure = {
    title: `ε after each step, at δ = ${String(whole.delta)}`,
    subtitle: `a plan of ${steps.length} steps`,
    x: { label: 'steps of the plan', scale: 'linear', range: [0, steps.length] },
    y: { label: 'ε', scale: 'linear', range: [0, 1.05 * highest || 1] },
    series,
    marks: [],
  };
  return { figure };
}

function training(configuration: Configuration, whole: Request, steps: number): Question {
  const linear = (last: number) => ({ range: [1, Math.max(2, last)], x_scale: 'linear', y_scale: 'linear' });
  if (configuration.mode === 'run') {
    if (configuration.run.length === 'epochs') return asked({ ...whole, op: 'figure', kind: 'epochs' });
    return asked({ ...whole, op: 'figure', kind: 'steps', ...linear(steps) });
  }
  const [only, more] = whole.steps as Request[];
  if (only && !more && typeof only.count === 'number' && only.count > 1) return asked({ ...whole, op: 'figure', kind: 'steps', ...linear(only.count) });
  return { key: JSON.stringify(whole), ask: (engine, quality) => askStepByStep(whole, engine, quality) };
}

/** The figures that are drawn, and the one from which the odds of an outcome are read. */
export function questionsOf(configuration: Configuration, steps: number, logarithmic: boolean): Record<Name, Question> {
  const whole = epsilonRequest(configuration);
  const { delta: _delta, ...subject } = whole;
  const scales = logarithmic ? { x_scale: 'log', y_scale: 'log' } : {};
  return {
    training: training(configuration, whole, steps),
    profile: asked({ ...whole, op: 'figure', kind: 'profile' }),
    attacker: asked({ ...subject, op: 'figure', kind: 'roc', ...scales }),
    outcomes: asked({ ...subject, op: 'figure', kind: 'outcomes' }),
  };
}
