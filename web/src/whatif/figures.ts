// The three figures of the view, from the curves of the current and the pinned configuration.
import { computed, signal } from '@preact/signals';
import { exactOf } from '../engine/answers';
import { roundedUp, typed } from '../app/numbers';
import type { Points, Profile, Training } from '../plots/curves';
import type { Curve, Figure, Role } from '../plots/figure';
import { falsePositiveRates, power } from '../plots/roc';
import { curves, epsilonOf, pinned, pinnedCurves, pinnedShown, shown } from './state';

/** Whether the attacker's curve has logarithmic scales, which show what is found at few false alarms. */
export const logarithmic = signal(false);

const named = (label: string, role: Role) => (pinned.value ? `${role === 'pinned' ? 'A' : 'B'}: ${label}` : label);

/** What the solid curve is: the exact one of what is run, or of what stands for it. */
function solidLabel(role: Role): string {
  const cost = (role === 'pinned' ? pinnedShown : shown).value?.cost;
  const standing = cost && exactOf(cost)?.standing;
  return standing === 'dominated' ? 'dominating pair' : standing === 'promised' ? 'worst step promised' : 'exact';
}

function pair(points: Points | undefined, role: Role): Curve[] {
  if (!points) return [];
  const finite = (values: number[]) => values.some((value) => Number.isFinite(value));
  const result: Curve[] = [];
  if (finite(points.renyi)) result.push({ label: named('Rényi bound', role), role, dashed: true, x: points.x, y: points.renyi });
  if (finite(points.exact)) result.push({ label: named(solidLabel(role), role), role, dashed: false, x: points.x, y: points.exact });
  return result;
}

const largest = (values: number[]) => values.filter(Number.isFinite).reduce((most, value) => Math.max(most, value), 0);

const current = computed(() => {
  const cost = shown.value?.cost;
  return cost ? epsilonOf(cost) : undefined;
});

export const trainingFigure = computed<Figure>(() => {
  const now = curves.training.value;
  const kept = pinnedCurves.training.value;
  const same = !now || !kept || now.unit === kept.unit;
  const along = (training: Training | undefined) => (training && !same ? { ...training, x: training.share } : training);
  const all = [...pair(along(kept), 'pinned'), ...pair(along(now), 'current')];
  const unit = same ? (now?.unit ?? 'steps') : '% of the training';
  const title = unit === 'steps of the plan' ? 'Epsilon step by step' : 'Epsilon over training';
  const solid = all.filter((curve) => !curve.dashed);
  // A Rényi bound far above the exact curve would flatten it.
  const high = Math.min(largest(all.flatMap(({ y }) => y)), 2.2 * (largest(solid.flatMap(({ y }) => y)) || Infinity));
  return {
    title,
    summary:
      current.value === undefined
        ? `${title}: no curve.`
        : `${title}: it grows with the ${unit} to ${roundedUp(current.value)}.`,
    x: { label: unit, log: false, range: [0, largest(all.flatMap(({ x }) => x)) || 1] },
    y: { label: 'epsilon', log: false, range: [0, 1.06 * (high || 1)] },
    curves: all,
  };
});

export const profileFigure = computed<Figure>(() => {
  const now = curves.profile.value;
  const all = [...pair(pinnedCurves.profile.value, 'pinned'), ...pair(now, 'current')];
  const delta = typed(shown.value?.configuration.delta ?? '') ?? 1e-5;
  const last = largest(all.flatMap(({ x }) => x)) || 1;
  const low = 10 ** Math.floor(Math.log10(Math.max(1e-300, Math.min(delta / 100, 1e-3))));
  return {
    title: 'Privacy profile',
    summary:
      current.value === undefined
        ? 'Privacy profile: no curve.'
        : `Privacy profile: delta falls as epsilon grows, and is ${roundedUp(delta, 3)} at epsilon ${roundedUp(current.value)}.`,
    x: { label: 'epsilon', log: false, range: [0, last] },
    y: { label: 'delta', log: true, range: [low, 1] },
    curves: all,
  };
});

function attacker(profile: Profile | undefined, role: Role): Curve[] {
  if (!profile) return [];
  const y = falsePositiveRates.map((rate) => power(profile.guarantees, rate));
  return [{ label: named('best attacker', role), role, dashed: false, x: falsePositiveRates, y }];
}

/** The true positive rate of the best attacker of the current configuration. */
export const found = (rate: number): number | undefined => {
  const profile = curves.profile.value;
  return profile && power(profile.guarantees, rate);
};

export const attackerFigure = computed<Figure>(() => {
  const guess: Curve = { label: 'guessing', role: 'reference', dashed: true, x: falsePositiveRates, y: falsePositiveRates };
  const one = found(0.01);
  const log = logarithmic.value;
  const range: [number, number] = log ? [1e-5, 1] : [0, 1];
  return {
    title: 'The best attacker',
    summary:
      one === undefined
        ? 'The best attacker: no curve.'
        : `The best attacker: with false alarms for 1 % of those who are not in the data, it finds at most ${roundedUp(100 * one, 3)} % of those who are.`,
    x: { label: 'false positive rate', log, range },
    y: { label: 'true positive rate', log, range },
    curves: [guess, ...attacker(pinnedCurves.profile.value, 'pinned'), ...attacker(curves.profile.value, 'current')],
  };
});
