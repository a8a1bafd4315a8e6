// Tickets, found in the log: those that are reserved and not yet opened, and those that were committed.
import { numberOf } from '../engine/answers';
import type { Balance, Entry, Receipt, Scope, ScopeBalances, Step, TicketShown } from './answers';
import { read } from './client';
import { readBack } from './log';
import { isWithin } from './roles';
import { addsSquares } from './words';

export interface Pending {
  ticket: number;
  scope: string;
  person: string;
  comment: string;
  time: string;
  expires: string;
  steps: Step[];
  count: number;
  blocks: string[];
  /** What it costs in its scope and in those above it, once that is known. */
  costs?: ScopeBalances[];
}

/** The most reservations that are listed one by one. */
const mostListed = 1000;

/** The reservations that are neither opened nor gone back, from the newest to the oldest. */
export async function findPending(): Promise<Pending[]> {
  return (await readBack({ of: 'pending' }, mostListed)).entries.map(({ content: { entry, time, request, outcome } }) => ({
    ticket: entry,
    scope: request.scope ?? '',
    person: request.person ?? '',
    comment: request.comment ?? '',
    time,
    expires: outcome.expires ?? '',
    steps: request.steps ?? [],
    count: request.count ?? 1,
    blocks: request.blocks ?? [],
  }));
}

const asCharge = ({ scope, steps, count, blocks }: Pick<Pending, 'scope' | 'steps' | 'count' | 'blocks'>) => ({
  scope,
  steps,
  ...(count > 1 ? { count } : {}),
  ...(blocks.length > 0 ? { blocks } : {}),
});

/** What a charge costs beside each balance of its scopes, by a question that records nothing. */
export async function costsOf(charge: Pick<Pending, 'scope' | 'steps' | 'count' | 'blocks'>): Promise<ScopeBalances[]> {
  return (await read<Receipt>('may-run', asCharge(charge))).left ?? [];
}

/** Whether charges to the scope and within it add up: not those on blocks, nor those of analysts apart. */
export const addsUp = (scope: Scope): boolean => scope.analysts_may_collude && (!scope.block_rule || scope.blocks_add_up === true);

/** What pending reservations hold of one balance of a scope; undefined where a cost is not known. */
export function reservedIn(scope: Scope, place: number, pending: Pending[]): number | undefined {
  if (scope.reserved === 0) return 0;
  // Where not all charges add up, what is reserved is no part of the sum that counts.
  if (scope.budget.kind === 'approx' || !addsUp(scope)) return undefined;
  const squares = addsSquares(scope.budget);
  let sum = 0;
  let seen = 0;
  for (const one of pending) {
    if (!isWithin(one.scope, scope.scope)) continue;
    const cost = one.costs?.find((row) => row.scope === scope.scope)?.costs?.[place];
    if (cost === undefined) return undefined;
    sum += squares ? numberOf(cost) ** 2 : numberOf(cost);
    ++seen;
  }
  if (seen < scope.reserved) return undefined;
  const balance: Balance | undefined = scope.balances[place];
  return Math.min(squares ? Math.sqrt(sum) : sum, numberOf(balance?.spent));
}

export interface Release {
  ticket: number;
  scope: string;
  person: string;
  comment: string;
  /** When it was committed, by which entry. */
  time: string;
  entry: number;
  hash: string;
  outputSha256: string;
}

export interface Releases {
  releases: Release[];
  /** The entry that the next page comes before; undefined where there is no more. */
  next?: number;
}

/** Tickets that were committed with what was published, from the newest to the oldest. */
export async function findReleases(last: number, before?: number): Promise<Releases> {
  const { entries, ...rest } = await readBack({ of: 'releases' }, last, before);
  const releases = entries.map(({ content: { entry, time, hash, request } }) => ({
    ticket: request.ticket ?? 0,
    scope: request.scope ?? '',
    person: request.person ?? '',
    comment: request.comment ?? '',
    time,
    entry,
    hash,
    outputSha256: request.output_sha256 ?? '',
  }));
  return { releases, ...rest };
}

export interface ReleaseDetails {
  reserved: Entry;
  ticket: TicketShown;
  costs: ScopeBalances[];
}

/** Everything a receipt states: the reservation, the stored output and the cost. */
export async function detailsOf(release: Release): Promise<ReleaseDetails> {
  const [history, ticket] = await Promise.all([
    read<{ entries: Entry[] }>('history', { scope: release.scope, after: release.ticket - 1, most: 1 }),
    read<TicketShown>('ticket', { ticket: release.ticket }),
  ]);
  const reserved = history.entries[0];
  if (!reserved || reserved.entry !== release.ticket) throw new Error(`The log has no entry ${release.ticket}.`);
  const { steps = [], count = 1, blocks = [] } = reserved.request;
  return { reserved, ticket, costs: await costsOf({ scope: release.scope, steps, count, blocks }) };
}
