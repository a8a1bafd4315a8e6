// Both ends of the conversation with a worker, in a thread of Node that looks like a Web Worker.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Worker } from 'node:worker_threads';
import { compile, engineDirectory } from './native.js';

const { EngineWorker, serve } = await import(new URL('worker.js', engineDirectory));
const module = await compile();

/** A thread of Node with the interface of a Web Worker, which runs thread.js. */
function webWorker() {
  const script = `
    const { parentPort } = require('node:worker_threads');
    globalThis.self = {
      addEventListener: (kind, listener) => parentPort.on(kind, (data) => listener({ data })),
      postMessage: (data) => parentPort.postMessage(data),
    };
    import(${JSON.stringify(new URL('thread.js', engineDirectory).href)});`;
  const thread = new Worker(script, { eval: true });
  return {
    addEventListener: (kind, listener) =>
      thread.on(kind, (data) => listener(kind === 'error' ? { message: data.message } : { data })),
    postMessage: (data) => thread.postMessage(data),
    terminate: () => void thread.terminate(),
  };
}

const request = (noise_multiplier) => ({ op: 'epsilon', steps: [{ mechanism: 'gaussian', noise_multiplier }], delta: 1e-5 });

test('a worker answers, in order', async () => {
  const engine = new EngineWorker(webWorker(), module);
  assert.match((await engine.ready).version, /^\d+\.\d+\.\d+$/);
  const answers = await Promise.all([1, 2, 4].map((noise) => engine.ask(request(noise))));
  const epsilons = answers.map(({ exact }) => exact.upper);
  assert.ok(epsilons[0] > epsilons[1] && epsilons[1] > epsilons[2]);
  assert.equal((await engine.ask({ op: 'nothing' })).error.kind, 'invalid_argument');
  engine.terminate();
  assert.match((await engine.ask(request(1))).error.message, /terminated/);
});

test('a worker finds its module by itself', async () => {
  const engine = new EngineWorker(webWorker());
  assert.ok((await engine.ask(request(2))).exact.upper < 2);
  engine.terminate();
});

/** A worker that answers when it is told to. */
function slowWorker() {
  const asked = [];
  let listener;
  return {
    asked,
    answer: () => listener({ data: { number: asked.at(-1).number, answer: { to: asked.at(-1).request } } }),
    fail: (message) => listener({ data: { failed: message } }),
    addEventListener: (kind, given) => kind === 'message' && (listener = given),
    postMessage: (data) => 'number' in data && asked.push(data),
    terminate: () => {},
  };
}

test('only the newest request of a channel is answered, and one that has begun', async () => {
  const worker = slowWorker();
  const engine = new EngineWorker(worker);
  const begun = engine.latest('epsilon', 1);
  const dropped = engine.latest('epsilon', 2);
  const other = engine.latest('curve', 3);
  const plain = engine.ask(4);
  const newest = engine.latest('epsilon', 5);
  assert.equal(await dropped, undefined);
  for (let i = 0; i < 4; ++i) worker.answer();
  assert.deepEqual(await Promise.all([begun, other, plain, newest]), [{ to: 1 }, { to: 3 }, { to: 4 }, { to: 5 }]);
  assert.deepEqual(worker.asked.map(({ request }) => request), [1, 3, 4, 5]);
});

test('whoever waits for a worker that fails is told', async () => {
  const worker = slowWorker();
  const engine = new EngineWorker(worker);
  const waiting = [engine.ask(1), engine.latest('a', 2)];
  worker.fail('no such file');
  for (const answer of await Promise.all(waiting)) assert.match(answer.error.message, /could not be loaded: no such file/);
  await assert.rejects(engine.ready, /no such file/);
});

test('a module that cannot be used is reported by the other end', async () => {
  const sent = [];
  let listener;
  serve({ addEventListener: (_kind, given) => (listener = given), postMessage: (data) => sent.push(data) });
  await listener({ data: { module: new WebAssembly.Module(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])) } });
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(typeof sent[0].failed, 'string');
});
