// Figures of the engine in WebAssembly, evaluated by the page: at abscissae between their points, no upper curve is below what
// the engine says there, and no lower one above.
import assert from 'node:assert/strict';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { moduleOf } from './modules.mjs';

const engineAt = process.env.RENYI_ENGINE ?? fileURLToPath(new URL('../../../build/wasm/engine', import.meta.url));
const { createEngine } = await import(`${engineAt}/index.js`);
const engine = await createEngine();
const { valueAt } = await moduleOf('plots/rule.ts');
const { figureOf, upperAt } = await moduleOf('plots/figure.ts');

const run = { dataset_size: 60000, batch_size: 256, epochs: 60, noise_multiplier: 1.1 };
const subjects = {
  training: { run },
  'fine-tuning': { run: { dataset_size: 100000, batch_size: 1024, steps: 293, noise_multiplier: 0.6 } },
  laplace: { steps: [{ mechanism: 'laplace', scale: 10, count: 40 }] },
  'randomized response': { steps: [{ mechanism: 'randomized-response', truth_probability: 0.75, count: 3 }] },
  'bound only': { steps: [{ mechanism: 'gaussian', noise_multiplier: 3, count: 100 }], unit: 2 },
};

/** Numbers in [0, 1), the same in every run. */
function randoms(seed) {
  let state = seed;
  return () => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32);
}

const upperOf = ({ exact }) => exact.upper;
const steps = (subject, count) => (subject.run ? { run: { ...subject.run, steps: count, epochs: undefined } } : { steps: [{ ...subject.steps[0], count }] });
const linear = { x_scale: 'linear', y_scale: 'linear' };

/** What the best tests of both directions attain at a false positive rate. */
const directionsOf = (subject, rate) => {
  const { remove, add } = engine.ask({ op: 'tradeoff', ...subject, type_1_errors: [rate] }).points[0];
  return [remove, add];
};

/** For each kind: how it is asked, and what holds at x: the upper ends by the exact curve and by the Rényi bound. */
const kinds = {
  profile: {
    request: { delta: 1e-5 },
    truth: (subject, x) => {
      const answer = engine.ask({ op: 'delta', ...subject, epsilon: x });
      return { exact: upperOf(answer), renyi: answer.renyi.delta };
    },
  },
  steps: {
    request: { delta: 1e-5, ...linear },
    range: (subject) => [1, subject.run?.steps ?? subject.steps?.[0].count ?? 14063],
    at: Math.floor,
    truth: (subject, x) => {
      const answer = engine.ask({ op: 'epsilon', ...subject, ...steps(subject, x), delta: 1e-5 });
      return { exact: upperOf(answer), renyi: answer.renyi.epsilon };
    },
  },
  // Where the engine's own upper end is a minimum of lines as well, a curve may be lower: what a test attains it is not.
  roc: {
    request: {},
    truth: (subject, x) => {
      const [remove, add] = directionsOf(subject, x).map(({ power }) => power.lower);
      return { exact: remove, other: add, renyi: Math.max(remove, add) };
    },
  },
  'roc, logarithmic': {
    request: { x_scale: 'log', y_scale: 'log' },
    truth: (subject, x) => kinds.roc.truth(subject, x),
  },
  'roc, by the Rényi bound': {
    request: { want: ['renyi'] },
    truth: (subject, x) => kinds.roc.truth(subject, x),
  },
  outcomes: {
    request: {},
    truth: (subject, x) => ({
      exact: Math.max(...directionsOf(subject, x).map(({ power }) => power.lower)),
      lower: Math.min(...directionsOf(subject, 1 - x).map(({ type_2_error }) => type_2_error.upper)),
    }),
  },
};

// Both sides are upper ends, each within its own rounding of what is true.
const holds = 1 - 1e-9;
const places = 4;

for (const [name, subject] of Object.entries(subjects)) {
  for (const quality of ['coarse', 'fine']) {
    test(`no curve is on the wrong side between its points: ${name}, ${quality}`, () => {
      const random = randoms(7);
      for (const [kind, { request, range, at = (x) => x, truth }] of Object.entries(kinds)) {
        const tolerance = request.want ? undefined : quality === 'coarse' ? 1e-2 : 1e-3;
        const answer = engine.ask({ op: 'figure', kind: kind.split(',')[0], ...subject, ...request, ...(range ? { range: range(subject) } : {}), quality, tolerance });
        assert.equal(answer.error, undefined, `${kind}: ${answer.error?.message}`);
        const { series } = figureOf(answer);
        for (const one of series.filter(({ bound, role }) => bound !== 'estimate' && (kind !== 'outcomes' || role === 'exact'))) {
          for (let index = 0; index < places; ++index) {
            const place = 1 + Math.floor(random() * (one.x.length - 1));
            const [from, to] = [one.x[place - 1], one.x[place]];
            const x = at(from + (index === 0 ? 1e-6 : random()) * (to - from));
            if (!(x > 0) || x < one.x[0]) continue;
            const value = valueAt(one, x);
            const found = truth(subject, x);
            const wanted = /differ by less/.test(one.name) ? Math.max(found.exact, found.other) : found[one.role];
            assert.ok(value >= wanted * holds, `${kind}, ${one.name}, at ${x}: ${value} is below ${wanted}`);
            if (one.lower && found.lower !== undefined) assert.ok(valueAt(one.lower, x, false) * holds <= found.lower, `${kind}, lower end at ${x}`);
          }
        }
      }
    });
  }
}

test('“Epsilon over training” holds between its points, also while a slider moves', () => {
  for (const quality of ['coarse', 'fine']) {
    const { series } = figureOf(engine.ask({ op: 'figure', kind: 'epochs', run, delta: 1e-5, quality }));
    for (const epochs of [0.3053, 0.64, 3.7]) {
      const { exact } = engine.ask({ op: 'epsilon', run: { ...run, epochs }, delta: 1e-5 });
      const value = valueAt(series[0], epochs);
      assert.ok(value >= exact.upper * holds, `${value} at ${epochs} epochs, where ${exact.upper} is true`);
      const height = quality === 'coarse' ? 0.03 : 0.005;
      assert.ok(value - exact.upper < height * 2.75, `${value} at ${epochs} epochs is far above ${exact.upper}`);
    }
  }
});

test('the odds read off a figure are close to those that explain gives', () => {
  const figure = figureOf(engine.ask({ op: 'figure', kind: 'outcomes', run, quality: 'fine', tolerance: 1e-3 }));
  for (const probability of [0.5, 0.1, 0.001, 1e-6]) {
    const { upper } = engine.ask({ op: 'explain', run, baseline: [probability] }).outcomes[0].exact;
    const value = upperAt(figure, probability);
    assert.ok(value >= upper * holds && value < 1.03 * upper, `${value} at ${probability}, where ${upper} is true`);
  }
});
