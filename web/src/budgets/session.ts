// Who is logged in, and whether there is a server at all. The token is sent once and not kept; the server's cookie stands for
// it, which scripts cannot read.
import { signal } from '@preact/signals';
import type { Session } from './answers';
import { ask, Failure, inWords, keepCsrf, whenSessionEnds } from './client';

export type Presence = 'unknown' | 'static' | 'unreachable' | 'server';

export const presence = signal<Presence>('unknown');
/** The session, also one that has ended while its forms are still filled in. */
export const session = signal<Session | undefined>(undefined);
/** Whether the session has ended by itself: the view stays, and asks for the token again. */
export const hasEnded = signal(false);
/** Counts logins of another person, for whom the view is made anew. */
export const person = signal(0);

let timer: ReturnType<typeof setTimeout> | undefined;

function begin(started: Session): void {
  const { csrf, ...rest } = started;
  keepCsrf(csrf);
  const before = session.value;
  if (!before || before.name !== rest.name || before.role !== rest.role) person.value += 1;
  session.value = rest;
  hasEnded.value = false;
  presence.value = 'server';
  clearTimeout(timer);
  const left = rest.expires ? Date.parse(rest.expires) - Date.now() : Infinity;
  // A timer holds 24 days at most; the server says so by itself where a page stays open that long.
  if (left < 2 ** 31) timer = setTimeout(end, Math.max(0, left));
}

function end(): void {
  keepCsrf(undefined);
  if (session.value) hasEnded.value = true;
}

whenSessionEnds(end);

/** Looks for a server behind this page. A host of static files answers with 404 or with a page. */
export async function detect(): Promise<void> {
  try {
    begin((await ask<Session>('v1/session', { method: 'GET', ownSession: true })).value);
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    if (failure.status === 401) presence.value = 'server';
    else if (failure.error.kind === 'not_a_server' || failure.status === 404 || failure.status === 405) presence.value = 'static';
    else presence.value = 'unreachable';
  }
}

/** Returns what is wrong, or undefined if the session has begun. */
export async function login(token: string): Promise<string | undefined> {
  try {
    begin((await ask<Session>('v1/session', { body: { token }, ownSession: true })).value);
    return undefined;
  } catch (failure) {
    if (failure instanceof Failure && failure.status === 401) return 'No token of this server: it may be mistyped, expired or revoked.';
    return inWords(failure);
  }
}

export async function logout(): Promise<void> {
  try {
    await ask('v1/session', { method: 'DELETE', ownSession: true });
  } catch (failure) {
    // What the server does not know any more has ended, too; without an answer the cookie may still be valid.
    if (failure instanceof Failure && failure.status !== 401) throw failure;
  }
  keepCsrf(undefined);
  clearTimeout(timer);
  session.value = undefined;
  hasEnded.value = false;
}
