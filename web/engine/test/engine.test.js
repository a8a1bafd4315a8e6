// The engine under hostile input and at its limits, and what it does when it stops.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { compile, createEngine, engineDirectory, native } from './native.js';
import { root } from './requests.js';

const module = await compile();
const gaussian = { op: 'epsilon', steps: [{ mechanism: 'gaussian', noise_multiplier: 2 }], delta: 1e-5 };
const epsilonOf = (answer) => answer.exact.upper;

test('the version is that of the project', async () => {
  const engine = await createEngine({ wasm: module });
  assert.equal(engine.version, (await readFile(`${root}VERSION`, 'utf8')).trim());
  const { version } = JSON.parse(await readFile(new URL('package.json', engineDirectory), 'utf8'));
  assert.equal(version, engine.version);
});

test('an engine is made of a module, of bytes, of an address or of nothing', async () => {
  const wasm = new URL('renyi.wasm', engineDirectory);
  const bytes = await readFile(wasm);
  const exact = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  for (const options of [{ wasm: module }, { wasm: exact }, { wasm }, { wasm: wasm.href }, undefined]) {
    assert.ok(epsilonOf((await createEngine(options)).ask(gaussian)) < 2);
  }
  await assert.rejects(createEngine({ wasm: new URL('nowhere.wasm', engineDirectory) }));
});

test('requests are objects or lines', async () => {
  const engine = await createEngine({ wasm: module });
  assert.deepEqual(engine.ask(gaussian), engine.ask(JSON.stringify(gaussian)));
  assert.equal(engine.askText(JSON.stringify(gaussian)), JSON.stringify(engine.ask(gaussian)));
});

test('hostile nesting is refused as by the native command', async () => {
  const engine = await createEngine({ wasm: module });
  const nested = (depth) => `${'{"steps":[{"plan":['.repeat(depth)}${']}]}'.repeat(depth)}`;
  for (const line of ['['.repeat(100000), '{"a":'.repeat(100000), nested(60), nested(100000)]) {
    assert.deepEqual(engine.ask(line), JSON.parse(native([line])[0]));
  }
  const groups = (depth) =>
    `{"op":"epsilon","delta":1e-5,"steps":[${'{"count":1,"plan":['.repeat(depth)}{"mechanism":"laplace","scale":9}${']}'.repeat(depth)}]}`;
  for (const depth of [1, 8, 15, 16, 17, 31, 32, 64]) {
    assert.deepEqual(engine.ask(groups(depth)), JSON.parse(native([groups(depth)])[0]), `${depth} groups`);
  }
});

test('texts of every script come back', async () => {
  const engine = await createEngine({ wasm: module });
  for (const id of ['δ = 10⁻⁵', '隐私', '🔒', '\u0001"\\', 'é'.repeat(10000)]) {
    assert.equal(engine.ask({ ...gaussian, id }).id, id);
  }
});

test('long requests are answered', async () => {
  const engine = await createEngine({ wasm: module });
  const steps = Array.from({ length: 20000 }, () => ({ mechanism: 'laplace', scale: 20000 }));
  assert.ok(Math.abs(engine.ask({ op: 'epsilon', steps, delta: 0 }).renyi.epsilon - 1) < 1e-9);
});

test('a limit of time ends the work', async () => {
  const engine = await createEngine({ wasm: module });
  const sampling = { scheme: 'fixed-size', dataset_size: 1000, batch_size: 10 };
  const slow = { op: 'tradeoff', steps: [{ mechanism: 'laplace', scale: 1, sampling, count: 500 }, { mechanism: 'gaussian', noise_multiplier: 3, sampling, count: 400 }] };
  for (const time_limit of [0.05, 0.3]) {
    const begin = performance.now();
    const answer = engine.ask({ ...slow, time_limit });
    assert.ok(answer.limit !== undefined || answer.error?.kind === 'limit_reached', JSON.stringify(answer).slice(0, 300));
    assert.ok(performance.now() - begin < 1000 * time_limit + 3000);
  }
});

// A module whose only function stops: (module (memory 1) ... (func unreachable)), with the exports of the engine.
function stopping() {
  const name = (text) => [text.length, ...new TextEncoder().encode(text)];
  const section = (id, content) => [id, content.length, ...content];
  const functions = ['_initialize', 'renyi_version', 'malloc', 'free', 'renyi_answer'];
  const bodies = [[0x0b], [0x41, 0, 0x0b], [0x41, 8, 0x0b], [0x0b], [0x00, 0x0b]]; // the last one is unreachable
  return new WebAssembly.Module(new Uint8Array([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [5, 0x60, 0, 0, 0x60, 0, 1, 0x7f, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 1, 0x7f, 0, 0x60, 2, 0x7f, 0x7f, 1, 0x7f]),
    ...section(3, [5, 0, 1, 2, 3, 4]),
    ...section(5, [1, 0, 1]),
    ...section(7, [6, ...name('memory'), 2, 0, ...functions.flatMap((text, i) => [...name(text), 0, i])]),
    ...section(10, [5, ...bodies.flatMap((body) => [body.length + 1, 0, ...body])]),
  ]));
}

test('an engine that stops answers with an internal error, again and again', async () => {
  const engine = await createEngine({ wasm: stopping() });
  for (const id of [1, 'two']) {
    const { error, ...rest } = engine.ask({ ...gaussian, id });
    assert.equal(error.kind, 'internal');
    assert.match(error.message, /^the engine stopped: .*unreachable.*; it has been started anew$/);
    assert.deepEqual(rest, { id });
  }
  assert.equal('id' in engine.ask('no JSON'), false);
});

test('a request for which there is no memory is an internal error, and the next one is answered', async () => {
  const engine = await createEngine({ wasm: module });
  const huge = `{"op":"epsilon","steps":[${'{"mechanism":"laplace","scale":2},'.repeat(9000000)}{}],"delta":1,"id":7}`;
  const answer = engine.ask(huge);
  assert.equal(answer.error.kind, 'internal');
  assert.match(answer.error.message, /memory|could not be written|stopped/);
  assert.ok(epsilonOf(engine.ask(gaussian)) < 2);
});
