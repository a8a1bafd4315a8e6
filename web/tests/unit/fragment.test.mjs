import assert from 'node:assert/strict';
import test from 'node:test';
import { moduleOf } from './modules.mjs';

const { read, write } = await moduleOf('share/fragment.ts');
const { initial, presets, mechanismStep } = await moduleOf('whatif/configuration.ts');

const encoded = (value) => `v1.${Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')}`;

test('every state survives the way through a link', () => {
  const odd = {
    ...initial,
    mode: 'plan',
    unit: '3',
    neighbors: 'zero-out',
    delta: 'not yet a number',
    steps: [
      mechanismStep('laplace', { scale: '20' }, { name: 'Größe “x” 😀', count: '7' }),
      mechanismStep('gaussian', { noise_multiplier: '4' }, { sampling: { scheme: 'poisson', values: { rate: '0.01' } } }),
      mechanismStep('pairs', {}, { tables: { probabilities: '[[0.75,0.25],[0.25,0.75]]' } }),
      mechanismStep('', {}, { form: '{"parallel":[[]]}' }),
    ],
  };
  for (const configuration of [...presets.map((preset) => preset.configuration), odd]) {
    for (const pinned of [null, initial, odd]) {
      const shared = { configuration, pinned, target: '2.5', baseline: 0.01 };
      const back = read(write(shared));
      // A run does not carry the steps of the other mode along.
      const kept = (one) => one && (one.mode === 'run' ? { ...one, steps: initial.steps } : one);
      assert.deepEqual(back, { ...shared, configuration: kept(configuration), pinned: kept(pinned) });
    }
  }
});

test('a link of the first example is short', () => {
  assert.ok(write({ configuration: initial, pinned: null, target: '1', baseline: 0.001 }).length < 30);
});

test('an empty fragment is the first example', () => {
  assert.deepEqual(read('').configuration, initial);
});

test('what is no state is refused with a reason, and never throws', () => {
  const bad = [
    'v1.',
    'v1.%%%',
    'v2.abcd',
    'garbage',
    encoded('{'),
    encoded('[1,2]'),
    encoded({ now: 7 }),
    encoded({ now: { run: { dataset_size: 60000 } } }),
    encoded({ now: { run: { sampling: 'by hand' } } }),
    encoded({ now: { mode: 'both' } }),
    encoded({ now: { steps: 'none' } }),
    encoded({ now: { steps: [null] } }),
    encoded({ now: { steps: [{ values: { scale: {} } }] } }),
    encoded({ now: { steps: Array(501).fill({}) } }),
    encoded({ baseline: 2 }),
    `v1.${'A'.repeat(300000)}`,
  ];
  for (const fragment of bad) assert.equal(typeof read(fragment).fault, 'string', fragment.slice(0, 60));
  const good = write({ configuration: presets[1].configuration, pinned: initial, target: '3', baseline: 0.1 });
  for (let end = 4; end < good.length; end += 3) {
    const result = read(good.slice(0, end));
    assert.ok('fault' in result || 'configuration' in result);
  }
});

test('members of a link cannot reach the prototype of objects', () => {
  const state = read(encoded('{"now":{"mode":"plan","steps":[{"kind":"laplace","values":{"__proto__":{"scale":"1"}}}]}}'));
  assert.ok('fault' in state || state.configuration.steps[0].values.scale === undefined);
  assert.equal({}.scale, undefined);
});
