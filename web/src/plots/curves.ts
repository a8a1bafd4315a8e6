// The curves of a configuration, asked of the engine in small requests: few points while a slider moves, more when it rests.
import { type Answer, type Cost, exactOf, numberOf, type ProfileAnswer, renyiOf, type Request } from '../engine/answers';
import type { Asker } from '../engine/asker';
import { typed } from '../app/numbers';
import { type Configuration, countsEpochs } from '../whatif/configuration';
import { epsilonRequest, subjectOf } from '../whatif/request';
import type { Guarantee } from './roc';

export interface Points {
  x: number[];
  exact: number[];
  renyi: number[];
}

export interface Training extends Points {
  unit: string;
  /** The share of the whole at each point, for runs that are counted in different units. */
  share: number[];
}

export interface Profile extends Points {
  guarantees: Guarantee[];
}

export type Level = 'coarse' | 'fine';

/** Whether the answer is still wanted; asked between requests, so that a newer position need not wait long. */
export type Wanted = () => boolean;

const pointsOf = { coarse: { training: 8, profile: 10 }, fine: { training: 24, profile: 36 } };
/** Seconds that one request may take. At the limit the engine answers with the best that is known by then. */
const limit = { coarse: 0.06, fine: 1.5 };
/** Intervals of a picture may be wider than those of the number: their upper ends, which are drawn, hold all the same. */
const tolerance = 1e-3;

interface Length {
  request: Request;
  at: number;
}

/** The request with the training cut off at several lengths; for a plan, after each of its steps. */
function lengths(configuration: Configuration, total: number, number: number): { unit: string; lengths: Length[] } {
  const whole = epsilonRequest(configuration);
  const spread = (last: number) => {
    const counts = new Set<number>([1, last]);
    for (let index = 1; index < number; ++index) counts.add(Math.max(1, Math.round(last * (index / (number - 1)) ** 1.6)));
    return [...counts].sort((a, b) => a - b);
  };
  if (configuration.mode === 'run') {
    const { epochs: _epochs, ...run } = whole.run as Request;
    const epochs = typed(configuration.run.epochs) ?? 1;
    const byEpochs = configuration.run.length === 'epochs';
    return {
      unit: byEpochs ? 'epochs' : 'steps',
      lengths: spread(total).map((steps) => ({
        request: { ...whole, run: countsEpochs(configuration.run.sampling) ? { ...run, epochs: steps } : { ...run, steps } },
        at: byEpochs ? (steps === total ? epochs : (epochs * steps) / total) : steps,
      })),
    };
  }
  const steps = whole.steps as Request[];
  const only = steps[0];
  if (steps.length === 1 && only && typeof only.count === 'number' && only.count > 1) {
    return {
      unit: 'runs of the step',
      lengths: spread(only.count).map((count) => ({ request: { ...whole, steps: [{ ...only, count }] }, at: count })),
    };
  }
  const every = Math.max(1, Math.ceil(steps.length / number));
  const ends = steps.map((_, index) => index + 1).filter((end) => end % every === 0 || end === steps.length);
  return {
    unit: 'steps of the plan',
    lengths: [0, ...ends].map((end) => ({ request: { ...whole, steps: steps.slice(0, end) }, at: end })),
  };
}

const upper = (cost: Cost): number => numberOf(exactOf(cost)?.upper);

/** Epsilon after each part of the training. Undefined where a newer position is wanted or the engine refuses. */
export async function askTraining(
  engine: Asker,
  configuration: Configuration,
  total: number,
  level: Level,
  wanted: Wanted,
): Promise<Training | undefined> {
  const { unit, lengths: parts } = lengths(configuration, total, pointsOf[level].training);
  const training: Training = { unit, share: [], x: [], exact: [], renyi: [] };
  const whole = parts[parts.length - 1]?.at || 1;
  for (const part of parts) {
    const answer: Answer<Cost> = await engine.ask<Cost>({ ...part.request, tolerance, time_limit: limit[level] });
    if (!wanted()) return undefined;
    if (answer.error) continue;
    training.x.push(part.at);
    training.share.push((100 * part.at) / whole);
    training.exact.push(upper(answer));
    training.renyi.push(numberOf(renyiOf(answer)?.epsilon));
  }
  return training.x.length > 1 ? training : undefined;
}

/** Delta at epsilons from 0 to beyond the one that is shown, closer together where the attacker's curve bends. */
export async function askProfile(
  engine: Asker,
  configuration: Configuration,
  epsilon: number,
  level: Level,
  wanted: Wanted,
): Promise<Profile | undefined> {
  const number = pointsOf[level].profile;
  const last = Math.min(700, Math.max(1e-3, Number.isFinite(epsilon) ? 1.4 * epsilon : 10));
  const epsilons = Array.from({ length: number }, (_, index) => last * (index / (number - 1)) ** 1.4);
  const profile: Profile = { x: [], exact: [], renyi: [], guarantees: [] };
  const together = level === 'coarse' ? 5 : 4;
  for (let first = 0; first < number; first += together) {
    const request = { op: 'profile', ...subjectOf(configuration), epsilons: epsilons.slice(first, first + together) };
    const answer = await engine.ask<ProfileAnswer>({ ...request, tolerance, time_limit: limit[level] });
    if (!wanted()) return undefined;
    if (answer.error) continue;
    for (const point of answer.at_epsilons ?? []) {
      const exact = exactOf(point);
      const renyi = renyiOf(point)?.delta ?? 1;
      profile.x.push(point.epsilon);
      profile.exact.push(upper(point));
      profile.renyi.push(renyi);
      const remove = exact ? numberOf(exact.remove.upper) : renyi;
      const add = exact ? numberOf(exact.add.upper) : renyi;
      profile.guarantees.push({ epsilon: point.epsilon, remove, add });
    }
  }
  return profile.x.length > 1 ? profile : undefined;
}
