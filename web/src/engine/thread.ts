// Runs in a worker: answers requests one after the other, so that the page itself never waits for the engine.
import { createEngine, type Engine } from '@renyi/engine';

type Message = { module: WebAssembly.Module } | { number: number; request: unknown };

let engine: Promise<Engine> | undefined;

addEventListener('message', async (event: MessageEvent<Message>) => {
  const message = event.data;
  if ('module' in message) {
    engine = createEngine({ wasm: message.module });
    return;
  }
  try {
    if (!engine) throw new Error('The engine has not been loaded.');
    const answer = (await engine).ask(message.request as never);
    postMessage({ number: message.number, answer });
  } catch (failure) {
    const error = { kind: 'internal', message: `The engine failed: ${String(failure)}`, path: '' };
    postMessage({ number: message.number, answer: { error } });
  }
});
