// Requests to the server that serves this page. Answers are read as text, too, because the hash of an entry is that of its
// very characters.
import type { ApiError } from './answers';

/** Why a request got no answer of its own: what the server refused, or that nothing arrived. */
export class Failure extends Error {
  constructor(
    readonly status: number,
    readonly error: ApiError,
    readonly retryAfter?: number,
  ) {
    super(error.message);
  }

  /** Nothing arrived, or the server could not work: whether the request was carried out is not known. */
  get isUncertain(): boolean {
    return this.status === 0 || this.status >= 500;
  }
}

export interface Reply<T> {
  value: T;
  text: string;
}

/** Held in memory only: whoever reads storage or a saved page must not find it. */
let csrf = '';
export const keepCsrf = (value: string | undefined): void => {
  csrf = value ?? '';
};

/** Called when the server no longer knows the session. */
let onSessionEnd: () => void = () => undefined;
export const whenSessionEnds = (listener: () => void): void => {
  onSessionEnd = listener;
};

/** Relative to the page, so that a server behind a prefix works. */
const address = (path: string) => new URL(path, document.baseURI).href;

const noServer = (message: string): Failure => new Failure(0, { kind: 'unreachable', message, path: '' });

interface Asked {
  method?: 'GET' | 'POST' | 'DELETE';
  body?: unknown;
  key?: string;
  /** Whether a 401 belongs to the caller, as that of a login does. */
  ownSession?: boolean;
}

export async function ask<T>(path: string, { method = 'POST', body, key, ownSession = false }: Asked = {}): Promise<Reply<T>> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (method !== 'GET' && csrf) headers['X-Renyi-CSRF'] = csrf;
  if (key !== undefined) headers['Idempotency-Key'] = key;
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(address(path), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: 'same-origin',
      cache: 'no-store',
    });
    text = await answer.text();
  } catch {
    throw noServer('The server did not answer. Check that it runs and that this machine is connected.');
  }
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
  if (!isJson && !(answer.ok && text === '')) {
    throw new Failure(answer.ok ? 404 : answer.status, {
      kind: 'not_a_server',
      message: `${path} was answered with status ${answer.status} and no JSON`,
      path: '',
    });
  }
  const value = (text === '' ? {} : JSON.parse(text)) as T & { error?: ApiError };
  if (answer.ok && !value.error) return { value, text };
  if (answer.status === 401 && !ownSession) onSessionEnd();
  const error = value.error ?? { kind: 'unknown', message: `status ${answer.status}`, path: '' };
  const retry = Number(answer.headers.get('retry-after'));
  throw new Failure(answer.status, error, Number.isFinite(retry) && retry > 0 ? retry : undefined);
}

/** The longest time, in seconds, and how often a question waits for a server that is busy. */
const patience = { longest: 5, tries: 3 };

/** A verb of the ledger that only reads, which may be sent again if the server is busy. */
export async function readReply<T>(verb: string, body: object = {}): Promise<Reply<T>> {
  for (let tries = 1; ; ++tries) {
    try {
      return await ask<T>(`v1/ledger/${verb}`, { body });
    } catch (failure) {
      const wait = failure instanceof Failure && (failure.status === 503 || failure.status === 429) ? failure.retryAfter : undefined;
      if (wait === undefined || wait > patience.longest || tries >= patience.tries) throw failure;
      await new Promise((resolve) => setTimeout(resolve, 1000 * wait));
    }
  }
}

export const read = async <T>(verb: string, body: object = {}): Promise<T> => (await readReply<T>(verb, body)).value;

/** A verb that writes. The key is the caller's: the same intent keeps it, however often it is sent. */
export const write = async <T>(verb: string, body: object, key: string): Promise<T> =>
  (await ask<T>(`v1/ledger/${verb}`, { body, key })).value;

/** A name for one intent, which no other has. */
export function newKey(what: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `page-${what}-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** What to tell a person about a failure, where it belongs to no field. */
export function inWords(failure: unknown): string {
  if (!(failure instanceof Failure)) return String(failure);
  const { status, error, retryAfter } = failure;
  const wait = retryAfter === undefined ? 'in a moment' : `in ${retryAfter} s`;
  if (status === 0) return error.message;
  if (status === 401) return 'The session has ended.';
  if (status === 403) return `Not allowed: ${error.message}`;
  if (status === 409) return `In conflict with an earlier request: ${error.message}`;
  if (status === 429) return `Too many requests. Try again ${wait}.`;
  if (status === 503) return `The server cannot answer now (${error.message}). Try again ${wait}.`;
  return error.message;
}
