// A worker with an engine, as the page sees it: answers with their types, and a failure to load as an error like others.
import type { Request as CheckedRequest } from '@renyi/engine';
import { EngineWorker } from '@renyi/engine/worker';
import type { Answer, Request } from './answers';

export class Asker {
  private readonly engine: Promise<EngineWorker>;

  constructor(module: Promise<WebAssembly.Module>) {
    // The worker starts while the module is being compiled.
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { type: 'module' });
    this.engine = module.then((compiled) => new EngineWorker(worker, compiled));
    this.engine.catch(() => undefined); // whoever asks learns of it by the answer
  }

  ask<T>(request: Request): Promise<Answer<T>> {
    return this.engine.then((engine) => engine.ask(checked(request)) as unknown as Promise<Answer<T>>).catch(unloaded);
  }

  /** Answers undefined to a request that a later one of its channel overtook before it began. */
  latest<T>(channel: string, request: Request): Promise<Answer<T> | undefined> {
    return this.engine.then((engine) => engine.latest(channel, checked(request)) as unknown as Promise<Answer<T> | undefined>).catch(unloaded);
  }
}

/** A request of the page may hold what was typed where a number should stand: the engine refuses it by its path. */
const checked = (request: Request) => request as unknown as CheckedRequest;

const unloaded = (failure: unknown) => ({
  error: { kind: 'internal', message: `The engine could not be loaded: ${String(failure)}`, path: '' },
});
