import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { moduleOf } from './modules.mjs';

const { commandOf, pythonOf } = await moduleOf('share/command.ts');
const { initial, presets, mechanismStep } = await moduleOf('whatif/configuration.ts');

test('the command line and the Python line of the first example are those of the README', () => {
  assert.equal(
    commandOf(initial),
    'renyi epsilon --dataset-size 60000 --batch-size 256 --epochs 60 --noise-multiplier 1.1 --delta 1e-5',
  );
  assert.equal(
    pythonOf(initial),
    'renyi.epsilon(dataset_size=60000, batch_size=256, epochs=60, noise_multiplier=1.1, delta=1e-5)',
  );
});

test('what is not the default is said, and only that', () => {
  const run = { ...initial.run, sampling: 'truncated-poisson', length: 'steps', steps: '100' };
  const text = commandOf({ ...initial, run, neighbors: 'replace-one', unit: '2' });
  assert.equal(
    text,
    'renyi epsilon --dataset-size 60000 --batch-size 256 --steps 100 --noise-multiplier 1.1 --sampling truncated-poisson --batch-limit 320 --neighbors replace-one --unit 2 --delta 1e-5',
  );
});

test('no text that was typed can end the quotes of a shell or of Python', () => {
  const hostile = `x'; echo broken #" \\`;
  const plan = { ...initial, mode: 'plan', steps: [mechanismStep('laplace', { scale: '2' }, { name: hostile })] };
  const [echoed] = commandOf(plan).split(' | renyi');
  const said = execFileSync('bash', ['-c', echoed], { encoding: 'utf8' });
  assert.equal(JSON.parse(said).steps[0].name, hostile);
  const python = pythonOf(plan).replace('renyi.epsilon(renyi.Plan.from_json(', 'print(').replace(/\), delta=.*$/, ')');
  assert.equal(JSON.parse(execFileSync('python3', ['-c', python], { encoding: 'utf8' })).steps[0].name, hostile);
  const run = { ...initial, delta: '$(touch /tmp/x)', run: { ...initial.run, noise_multiplier: '`ls`' } };
  assert.match(commandOf(run), /'`ls`' --delta '\$\(touch \/tmp\/x\)'$/);
});

test('a plan travels in the line itself', () => {
  const census = presets.find(({ configuration }) => configuration.mode === 'plan').configuration;
  assert.match(commandOf(census), /^echo '\{"renyi":1,"neighbors":"add-or-remove-one","steps":\[.*\]\}' \| renyi epsilon - --delta 1e-10$/);
});
