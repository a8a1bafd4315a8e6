// A worker with an engine, as the page sees it: promises of answers, and channels in which the latest request wins.
import type { Answer, Request } from './answers';

interface Waiting {
  request: Request;
  resolve: (answer: Answer<never> | undefined) => void;
}

export class Asker {
  private readonly worker: Worker;
  private readonly open = new Map<number, (answer: Answer<never>) => void>();
  private readonly busy = new Set<string>();
  private readonly waiting = new Map<string, Waiting>();
  private count = 0;

  constructor(module: Promise<WebAssembly.Module>) {
    this.worker = new Worker(new URL('./thread.ts', import.meta.url), { type: 'module' });
    this.worker.addEventListener('message', (event: MessageEvent<{ number: number; answer: Answer<never> }>) => {
      this.open.get(event.data.number)?.(event.data.answer);
      this.open.delete(event.data.number);
    });
    this.worker.addEventListener('error', () => this.fail('The worker of the engine could not be started.'));
    module.then(
      (compiled) => this.worker.postMessage({ module: compiled }),
      (failure) => this.fail(`The engine could not be loaded: ${String(failure)}`),
    );
    this.loaded = module;
  }

  private readonly loaded: Promise<WebAssembly.Module>;

  private fail(message: string): void {
    for (const resolve of this.open.values()) resolve({ error: { kind: 'internal', message, path: '' } });
    this.open.clear();
  }

  ask<T>(request: Request): Promise<Answer<T>> {
    return new Promise((resolve) => {
      const number = ++this.count;
      this.open.set(number, resolve as (answer: Answer<never>) => void);
      this.loaded.then(
        () => this.worker.postMessage({ number, request }),
        () => undefined,
      );
    });
  }

  /**
   * Answers undefined to a request that a later one of its channel overtook before it began. One request of a channel is
   * with the engine at a time, so that nothing is computed for a position that the slider has left.
   */
  latest<T>(channel: string, request: Request): Promise<Answer<T> | undefined> {
    return new Promise((resolve) => {
      this.waiting.get(channel)?.resolve(undefined);
      this.waiting.set(channel, { request, resolve: resolve as Waiting['resolve'] });
      if (!this.busy.has(channel)) void this.drain(channel);
    });
  }

  private async drain(channel: string): Promise<void> {
    this.busy.add(channel);
    for (;;) {
      const next = this.waiting.get(channel);
      if (!next) break;
      this.waiting.delete(channel);
      next.resolve(await this.ask<never>(next.request));
    }
    this.busy.delete(channel);
  }
}
