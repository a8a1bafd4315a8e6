// renyi in a worker: both ends of the conversation. A page makes a worker of thread.js and wraps it in an EngineWorker.
//
// Messages to the worker: {module} or {} once, then {number, request}. Messages from it: {ready: {version}} or
// {failed: message} once, then {number, answer}.
import { compile, createEngine } from './index.js';

/** Answers the messages of a page: `scope` is the worker's global object. */
export function serve(scope) {
  let engine;
  scope.addEventListener('message', async ({ data }) => {
    if (engine === undefined) {
      engine = (async () => createEngine({ wasm: data.module ?? (await compile()) }))();
      engine.then(
        ({ version }) => scope.postMessage({ ready: { version } }),
        (failure) => scope.postMessage({ failed: String(failure) }),
      );
      return;
    }
    const { number, request } = data;
    const answer = (await engine).ask(request);
    scope.postMessage({ number, answer });
  });
}

const failure = (message) => ({ error: { kind: 'internal', message, path: '' } });

export class EngineWorker {
  #worker;
  #count = 0;
  #open = new Map(); // number -> resolve, of requests that the worker has
  #queue = []; // {channel?, request, resolve}, of requests that it has not
  #broken; // why no request is answered any more
  #settle;

  constructor(worker, module) {
    this.#worker = worker;
    this.ready = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.ready.catch(() => {}); // whoever asks learns of it by the answer
    worker.addEventListener('message', ({ data }) => this.#take(data));
    worker.addEventListener('error', (event) => this.#fail(`the worker failed: ${event.message ?? 'no reason given'}`));
    worker.postMessage(module === undefined ? {} : { module });
  }

  ask(request) {
    return new Promise((resolve) => this.#enter({ request, resolve }));
  }

  latest(channel, request) {
    return new Promise((resolve) => {
      const older = this.#queue.findIndex((waiting) => waiting.channel === channel);
      if (older >= 0) this.#queue.splice(older, 1)[0].resolve(undefined);
      this.#enter({ channel, request, resolve });
    });
  }

  terminate() {
    this.#worker.terminate();
    this.#fail('the worker was terminated');
  }

  #enter(waiting) {
    if (this.#broken !== undefined) return waiting.resolve(failure(this.#broken));
    this.#queue.push(waiting);
    this.#send();
  }

  // The worker has one request at a time: what it was sent cannot be taken back.
  #send() {
    if (this.#open.size > 0 || this.#queue.length === 0) return;
    const { request, resolve } = this.#queue.shift();
    const number = ++this.#count;
    this.#open.set(number, resolve);
    this.#worker.postMessage({ number, request });
  }

  #take(data) {
    if (data.ready) return this.#settle.resolve(data.ready);
    if (data.failed !== undefined) return this.#fail(`the engine could not be loaded: ${data.failed}`);
    this.#open.get(data.number)?.(data.answer);
    this.#open.delete(data.number);
    this.#send();
  }

  #fail(message) {
    if (this.#broken !== undefined) return;
    this.#broken = message;
    this.#settle.reject(new Error(message));
    const waiting = [...this.#open.values(), ...this.#queue.map(({ resolve }) => resolve)];
    this.#open.clear();
    this.#queue = [];
    for (const resolve of waiting) resolve(failure(message));
  }
}
