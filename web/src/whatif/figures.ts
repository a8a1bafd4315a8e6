// The three plots of the view, from the figures of the current and the pinned configuration, and what is read off them.
import { computed } from '@preact/signals';
import { exactOf } from '../engine/answers';
import { roundedUp, typed } from '../app/numbers';
import { type Figure, upperAt } from '../plots/figure';
import type { Shown } from '../plots/plot';
import type { Name } from './questions';
import { curves, epsilonOf, pinnedCurves, pinnedShown, shown } from './state';
import { together } from './together';

type Side = { keeper: typeof curves; answer: typeof shown };
const a: Side = { keeper: pinnedCurves, answer: pinnedShown };
const b: Side = { keeper: curves, answer: shown };

/** What a solid curve is: the exact one of what is run, or of what stands for it. */
const solid = ({ answer }: Side) =>
  computed(() => {
    const cost = answer.value?.cost;
    const standing = cost && exactOf(cost)?.standing;
    return standing === 'dominated' ? 'dominating pair' : standing === 'promised' ? 'worst step promised' : 'exact';
  });

/** The newest figure of a side. It stays the same object while only the number changes, so that it is not drawn again. */
function figureOf(name: Name, side: Side) {
  const figure = computed(() => side.keeper.shown.value[name]?.figure);
  const word = solid(side);
  return computed<Figure | undefined>(
    () => figure.value && { ...figure.value, series: figure.value.series.map((one) => ({ ...one, name: one.name.replace(/^exact/, word.value) })) },
  );
}

function plotOf(name: Name, title: (figure: Figure | undefined) => string, summary: (epsilon: string, figure: Figure) => string) {
  const [kept, now] = [figureOf(name, a), figureOf(name, b)];
  const drawn = computed(() => (kept.value && now.value ? together(kept.value, now.value) : now.value));
  return computed<Shown>(() => {
    const figure = drawn.value;
    const cost = shown.value?.cost;
    const words = cost && figure ? summary(roundedUp(epsilonOf(cost)), figure) : 'no curve.';
    return { title: title(figure), summary: `${title(figure)}: ${words}`, figure, fault: curves.shown.value[name]?.fault };
  });
}

export const trainingPlot = plotOf(
  'training',
  (figure) => (figure?.x.label === 'steps of the plan' ? 'Epsilon step by step' : 'Epsilon over training'),
  (epsilon, { x }) => `it grows with the ${x.label} to ${epsilon}.`,
);

export const profilePlot = plotOf(
  'profile',
  () => 'Privacy profile',
  (epsilon) => `delta falls as epsilon grows, and is ${roundedUp(typed(shown.value?.configuration.delta ?? '') ?? NaN, 3)} at epsilon ${epsilon}.`,
);

/** The probability that an outcome has at most with the record, if it has this one without it. */
export const found = (probability: number): number | undefined => {
  const figure = curves.shown.value.outcomes?.figure;
  return figure && upperAt(figure, probability);
};

/** The share of the members that are found with this share of false alarms, as a percentage: the same bound. */
export const foundAmong = (rate: number): string | undefined => {
  const likely = found(rate);
  return likely === undefined ? undefined : roundedUp(100 * likely, 3);
};

export const attackerPlot = plotOf(
  'attacker',
  () => 'The best attacker',
  () => `with false alarms for 1 % of those who are not in the data, it finds at most ${foundAmong(0.01) ?? '…'} % of those who are.`,
);
