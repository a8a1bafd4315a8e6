// What the view shows of the ledger: read again after every change, when the window comes back, and on request.
import { computed, signal } from '@preact/signals';
import type { Scope, Shown } from './answers';
import { Failure, inWords, read } from './client';
import { treeOf } from './tree';
import { costsOf, findPending, type Pending } from './tickets';

export const shown = signal<Shown | undefined>(undefined);
export const pending = signal<Pending[]>([]);
export const readAt = signal<Date | undefined>(undefined);
export const fault = signal('');
export const isReading = signal(false);
/** Counts what was read, so that panels know when to ask again. */
export const version = signal(0);

export const chosen = signal('');
export const tree = computed(() => treeOf(shown.value?.scopes ?? []));
export const scope = computed<Scope | undefined>(
  () => shown.value?.scopes.find((one) => one.scope === chosen.value) ?? shown.value?.scopes[0],
);

/** The most reservations whose costs are asked for one by one. */
const mostPriced = 24;

async function readPending(): Promise<Pending[]> {
  const found = await findPending();
  const known = new Map(pending.value.map((one) => [one.ticket, one.costs]));
  await Promise.all(
    found.slice(0, mostPriced).map(async (one) => {
      // What steps cost does not change; a reservation whose cost cannot be asked for is shown without.
      one.costs = known.get(one.ticket) ?? (await costsOf(one).catch(() => undefined));
    }),
  );
  return found.sort((a, b) => (a.expires < b.expires ? -1 : 1));
}

let wanted = 0;

export async function refresh(): Promise<void> {
  const mine = ++wanted;
  isReading.value = true;
  try {
    const answer = await read<Shown>('show');
    const reservations = await readPending();
    if (mine !== wanted) return;
    shown.value = answer;
    pending.value = reservations;
    readAt.value = new Date();
    fault.value = '';
    version.value += 1;
  } catch (failure) {
    const hasEnded = failure instanceof Failure && failure.status === 401;
    if (mine === wanted) fault.value = hasEnded ? '' : inWords(failure);
  } finally {
    if (mine === wanted) isReading.value = false;
  }
}

/** Forgets what was read, for the next person. */
export function forget(): void {
  ++wanted;
  shown.value = undefined;
  pending.value = [];
  readAt.value = undefined;
  fault.value = '';
}
