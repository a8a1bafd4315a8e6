// Sentences about a result: what happens to a bad outcome, and how two configurations differ.
import { chance, nearest, roundedUp } from '../app/numbers';
import type { Configuration } from './configuration';

/** "at most 6.05 in 1,000": the larger probability in the terms of the smaller one, or as a percentage. */
export function outcomeWords(baseline: number, atMost: number): string {
  if (baseline >= 0.1 || atMost >= 0.1) return `at most ${roundedUp(Math.min(100, 100 * atMost), 3)} %`;
  const many = nearest(1 / baseline, 3); // what is printed is what the bound is multiplied by
  return `at most ${roundedUp(atMost * Number(many), 3)} in ${many.replace(/\B(?=(\d{3})+$)/g, ',')}`;
}

export const baselineWords = (baseline: number): string => chance(baseline);

const runNames = {
  dataset_size: 'dataset size',
  batch_size: 'batch size',
  epochs: 'epochs',
  steps: 'steps',
  noise_multiplier: 'noise multiplier',
  sampling: 'sampling',
  batch_limit: 'batch limit',
} as const;

/** What differs between two configurations, each as "name: this, that". */
export function differences(a: Configuration, b: Configuration): { name: string; a: string; b: string }[] {
  const found: { name: string; a: string; b: string }[] = [];
  const note = (name: string, left: string, right: string) => {
    if (left !== right) found.push({ name, a: left, b: right });
  };
  if (a.mode !== b.mode) note('described as', a.mode, b.mode);
  else if (a.mode === 'plan') {
    note('steps of the plan', String(a.steps.length), String(b.steps.length));
    a.steps.forEach((step, index) => {
      const other = b.steps[index];
      if (!other || JSON.stringify(step) === JSON.stringify(other)) return;
      note(`step ${index + 1}`, stepWords(step), stepWords(other));
    });
  } else {
    const length = (run: Configuration['run']) => `${run[run.length]} ${run.length}`;
    for (const key of ['dataset_size', 'batch_size', 'noise_multiplier', 'sampling'] as const) note(runNames[key], a.run[key], b.run[key]);
    note('length', length(a.run), length(b.run));
    if (a.run.sampling === 'truncated-poisson' && b.run.sampling === 'truncated-poisson') note('batch limit', a.run.batch_limit, b.run.batch_limit);
  }
  note('delta', a.delta, b.delta);
  note('neighbouring datasets', a.neighbors, b.neighbors);
  note('records per person', a.unit, b.unit);
  return found;
}

function stepWords(step: Configuration['steps'][number]): string {
  if (step.form) return 'a form';
  const numbers = Object.entries(step.values).map(([name, text]) => `${name} ${text}`);
  return [`${step.count} × ${step.kind}`, ...numbers].join(', ');
}

/** How the two epsilons compare, as a sentence. */
export function comparison(a: number, b: number): string {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return 'One of them has no finite epsilon.';
  if (a === b) return 'Both cost the same.';
  const [small, large, names] = a < b ? [a, b, 'A costs less than B'] : [b, a, 'B costs less than A'];
  const percent = nearest(100 * (1 - small / large), 3);
  return `${names}: epsilon ${roundedUp(small)} instead of ${roundedUp(large)}, ${percent} % less.`;
}
