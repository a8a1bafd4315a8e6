import type { Answer, AnswerTo, Request } from './index.js';

/** What an EngineWorker needs of a worker; a Web Worker has it. */
export interface WorkerLike {
  addEventListener(kind: 'message', listener: (event: { data: any }) => void): void;
  addEventListener(kind: 'error', listener: (event: { message?: string }) => void): void;
  postMessage(message: unknown): void;
  terminate(): void;
}

/** An engine in a worker that runs `@renyi/engine/thread`. */
export class EngineWorker {
  /** Without a module, the worker reads and compiles renyi.wasm itself. */
  constructor(worker: WorkerLike, module?: WebAssembly.Module);
  readonly ready: Promise<{ version: string }>;
  ask<R extends Request>(request: R): Promise<AnswerTo<R>>;
  ask(request: string): Promise<Answer>;
  /** Like `ask`, but a request that has not begun when a newer one of its channel arrives resolves to undefined. */
  latest<R extends Request>(channel: string, request: R): Promise<AnswerTo<R> | undefined>;
  /** Ends the worker; whoever still waits gets an error. */
  terminate(): void;
}

/** The worker's end: answers what an EngineWorker sends to this global object. */
export function serve(scope: {
  addEventListener(kind: 'message', listener: (event: { data: any }) => void): void;
  postMessage(message: unknown): void;
}): void;
