import assert from 'node:assert/strict';
import test from 'node:test';
import { moduleOf } from './modules.mjs';

const { readPlan } = await moduleOf('plan/plan_file.ts');
const { planOf, fieldOfPath, withUnknown } = await moduleOf('whatif/request.ts');
const { initial } = await moduleOf('whatif/configuration.ts');

const plan = {
  renyi: 1,
  neighbors: 'replace-one',
  unit: 2,
  steps: [
    { mechanism: 'sampled-gaussian', sampling_rate: 0.01, noise_multiplier: 1.1, count: 10000, name: 'training' },
    { mechanism: 'laplace', scale: 20, sampling: { scheme: 'poisson', rate: 0.1 } },
    { mechanism: 'pairs', probabilities: [[0.75, 0.25], [0.25, 0.75]] },
    { parallel: [[{ mechanism: 'laplace', scale: 20 }]], count: 3, comment: 'kept' },
  ],
};

test('a plan file that is opened and exported again says the same', () => {
  const read = readPlan(JSON.stringify(plan));
  assert.deepEqual(planOf({ ...initial, ...read, mode: 'plan' }), plan);
});

test('what is no plan is refused with what is allowed', () => {
  const texts = ['', '{', '[]', '{}', '{"renyi":2,"steps":[]}', '{"renyi":1}', '{"renyi":1,"steps":[1]}', '{"renyi":1,"steps":[],"x":1}', '{"renyi":1,"steps":[],"neighbors":"all"}'];
  for (const text of texts) assert.equal(typeof readPlan(text).fault, 'string', text);
});

test('errors of the engine are shown at the field that they are about', () => {
  const read = { ...initial, ...readPlan(JSON.stringify(plan)), mode: 'plan' };
  assert.equal(fieldOfPath('steps[0].noise_multiplier', read), '0.noise_multiplier');
  assert.equal(fieldOfPath('steps[1].sampling.rate', read), '1.sampling.rate');
  assert.equal(fieldOfPath('steps[1]', read), '1.kind');
  assert.equal(fieldOfPath('steps[3].parallel[0][0].scale', read), '3.form');
  assert.equal(fieldOfPath('steps[9].scale', read), undefined);
  assert.equal(fieldOfPath('run.batch_size', initial), 'batch_size');
  assert.equal(fieldOfPath('run.epochs', initial), 'length');
  assert.equal(fieldOfPath('delta', initial), 'delta');
  assert.equal(fieldOfPath('', initial), undefined);
});

test('an unknown is null at its place, and the request is left as it was', () => {
  const request = { steps: [{ mechanism: 'laplace', scale: 2 }] };
  assert.deepEqual(withUnknown(request, 'steps[0].scale'), { steps: [{ mechanism: 'laplace', scale: null }] });
  assert.equal(request.steps[0].scale, 2);
});
