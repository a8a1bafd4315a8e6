// Solving for one number: the engine finds the value that meets the target, and the control is set to it.
import { signal } from '@preact/signals';
import type { Calibration, Cost } from '../engine/answers';
import { clickEngine } from '../engine/engines';
import { roundedDown, roundedUp, typed } from '../app/numbers';
import type { Configuration } from './configuration';
import { epsilonRequest, withUnknown } from './request';
import { configuration, epsilonOf, notice, target } from './state';

/** The field that is being solved for, while the engine works. */
export const solving = signal<string | undefined>(undefined);

export interface Unknown {
  field: string;
  label: string;
  /** The place in the request, such as run.noise_multiplier. */
  path: string;
  set: (text: string) => void;
}

const sentence = (text: string) => text.replace(/^\w/, (first) => first.toUpperCase());
const wording = { smallest: 'the smallest', largest: 'the largest', last: 'the last' };

export async function solve(unknown: Unknown): Promise<void> {
  if (solving.value) return;
  const epsilon = typed(target.value);
  if (epsilon === undefined) {
    notice.value = { text: `The target epsilon is "${target.value}", which is no number.`, tone: 'bad' };
    return;
  }
  const before = configuration.value;
  solving.value = unknown.field;
  try {
    if (unknown.path === 'run.dataset_size') await searchDatasetSize(unknown, epsilon, before);
    else await calibrate(unknown, epsilon, before);
  } finally {
    solving.value = undefined;
  }
}

async function calibrate(unknown: Unknown, epsilon: number, before: Configuration): Promise<void> {
  const { op: _op, ...subject } = epsilonRequest(before);
  const request = withUnknown({ op: 'calibrate', ...subject, epsilon, time_limit: 20 }, unknown.path);
  const answer = await clickEngine().ask<Calibration>(request);
  if (answer.error) {
    notice.value = { text: `Solving for ${unknown.label}: ${answer.error.message}`, tone: 'bad' };
    return;
  }
  // What was changed in the meantime stays; the solution is of the configuration that it was asked for.
  if (configuration.value !== before) {
    notice.value = { text: `The configuration has changed, so ${unknown.label} was left as it is.`, tone: 'bad' };
    return;
  }
  const { rounded } = answer;
  if (unknown.path === 'delta' && rounded) {
    // Epsilon at the smallest delta itself is the target within rounding, and may be above it in the last digit.
    unknown.set(String(rounded.value));
    notice.value = { text: `Delta ${rounded.value} is the smallest, in three digits, at which epsilon is at most ${target.value}.`, tone: 'plain' };
    return;
  }
  unknown.set(String(answer.value));
  const digits = answer.extreme === 'smallest' ? roundedUp(answer.value) : roundedDown(answer.value);
  const about = `${sentence(unknown.label)} ${digits} is ${wording[answer.extreme]} that meets epsilon ${target.value} at delta ${before.delta}, by the ${answer.by === 'exact' ? 'exact epsilon' : 'Rényi bound'}.`;
  const text = answer.note ? `${about} Note: ${answer.note}.` : about;
  if (rounded?.epsilon !== undefined && rounded.value !== answer.value) {
    notice.value = {
      text: `${text} Rounded to ${rounded.value} it costs ${roundedUp(rounded.epsilon)}.`,
      tone: 'plain',
      use: { label: `Use ${rounded.value}`, apply: () => unknown.set(String(rounded.value)) },
    };
  } else {
    notice.value = { text, tone: 'plain' };
  }
}

/** Calibration does not solve for the number of records, so that it is searched for among what the engine answers. */
async function searchDatasetSize(unknown: Unknown, epsilon: number, before: Configuration): Promise<void> {
  const meets = async (size: number): Promise<boolean> => {
    const changed = { ...before, run: { ...before.run, dataset_size: String(size) } };
    const answer = await clickEngine().ask<Cost>(epsilonRequest(changed));
    return !answer.error && epsilonOf(answer) <= epsilon;
  };
  let low = Math.max(1, Math.floor(typed(before.run.batch_size) ?? 1));
  let high = low;
  while (!(await meets(high))) {
    low = high;
    high *= 4;
    if (high > 1e12) {
      notice.value = { text: `No dataset of up to a trillion records meets epsilon ${target.value}.`, tone: 'bad' };
      return;
    }
  }
  while (high - low > Math.max(1, high * 1e-6)) {
    const middle = Math.floor((low + high) / 2);
    if (await meets(middle)) high = middle;
    else low = middle;
  }
  if (configuration.value !== before) return;
  unknown.set(String(high));
  notice.value = { text: `A dataset of ${high} records meets epsilon ${target.value} at delta ${before.delta}; one of ${low} was found not to.`, tone: 'plain' };
}
