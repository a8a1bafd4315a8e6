// Budgets, balances and steps in the words that people use for them.
import { nearest, roundedDown, roundedUp } from '../app/numbers';
import { numberOf } from '../engine/answers';
import type { Balance, Budget, Entry, Fitting, Scope, Step } from './answers';

const kinds: Record<string, string> = {
  pure: 'pure DP',
  zcdp: 'zCDP',
  tcdp: 'truncated CDP',
  gdp: 'Gaussian DP',
  approx: '(ε, δ)-DP',
  order: 'Rényi DP, one order',
  curve: 'Rényi DP, a curve',
  shares: 'Rényi DP, shares of δ',
};

export const kindOf = (budget: Budget): string => kinds[budget.kind] ?? budget.kind;

const symbols: Record<string, string> = { rho: 'ρ', mu: 'μ', epsilon: 'ε', delta: 'δ' };

/** The letter of a number, as formulas have it. */
export const symbolOf = (name: string): string => symbols[name] ?? name;

export const spentText = (balance: Balance, digits = 5): string => roundedUp(numberOf(balance.spent), digits);
export const leftText = (balance: Balance, digits = 5): string => roundedDown(numberOf(balance.left), digits);
/** A limit below zero admits nothing, as that of an order which is too small for its share of delta. */
export const limitText = (balance: Balance): string => (numberOf(balance.limit) < 0 ? 'none' : nearest(numberOf(balance.limit), 5));

/** The limits of a budget: "rho 0.5". */
export function budgetText(budget: Budget): string {
  const { kind: _kind, ...members } = budget;
  return Object.entries(members)
    .map(([name, value]) => (Array.isArray(value) ? `${value.length} ${name}` : `${name} ${typeof value === 'number' ? nearest(value, 6) : String(value)}`))
    .join(', ');
}

export const addsSquares = (budget: Budget): boolean => budget.kind === 'gdp';

/** Whether the cost of a charge can be taken from what is left by subtraction or by squares. */
export const leavesByRule = (budget: Budget): boolean => budget.kind !== 'approx';

/** The share of its limit that an amount takes up, from 0 to 1, so that shares add up as the amounts do. */
export function shareOf(value: number | 'inf', balance: Balance, budget: Budget): number {
  const limit = numberOf(balance.limit);
  const part = limit > 0 ? numberOf(value) / limit : 1;
  return Math.min(1, Math.max(0, addsSquares(budget) ? part * part : part));
}

/** The balance that decides: of shares the one that has the most left, of others the one that has the least. */
export function decisive(scope: Pick<Scope, 'balances' | 'budget'>): number {
  const left = scope.balances.map((balance) => 1 - shareOf(balance.spent, balance, scope.budget));
  const best = scope.budget.kind === 'shares' ? Math.max(...left) : Math.min(...left);
  return Math.max(0, left.indexOf(best));
}

/** What a cost leaves; undefined where no simple rule says it. It is a lower bound where not all charges add up. */
export function leavesAfter(balance: Balance, cost: number | 'inf', budget: Budget): number | undefined {
  if (!leavesByRule(budget)) return undefined;
  const [left, taken] = [numberOf(balance.left), numberOf(cost)];
  if (addsSquares(budget)) return Math.sqrt(Math.max(0, left * left - taken * taken));
  return Math.max(0, left - taken);
}

const shown = (value: unknown): string => {
  if (typeof value === 'number') return nearest(value, 6);
  if (Array.isArray(value)) return `[${value.length}]`;
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, part]) => (name === 'scheme' ? String(part) : `${name} ${shown(part)}`))
      .join(' ');
  }
  return String(value);
};

/** One step: "gaussian, noise_multiplier 4". */
export function stepText(step: Step): string {
  const { mechanism, count, name, comment: _comment, ...rest } = step;
  const what = typeof mechanism === 'string' ? mechanism : Object.keys(rest)[0] ?? 'step';
  const numbers = typeof mechanism === 'string' ? Object.entries(rest).map(([key, value]) => `${key} ${shown(value)}`) : [];
  const times = typeof count === 'number' && count > 1 ? `${count.toLocaleString()} × ` : '';
  return `${times}${[what, ...numbers].join(', ')}${typeof name === 'string' ? ` (${name})` : ''}`;
}

export function stepsText(steps: Step[], count = 1): string {
  const list = steps.map(stepText).join('; ');
  return count > 1 ? `${count.toLocaleString()} × ${steps.length > 1 ? `(${list})` : list}` : list;
}

export const fittingText = (fitting: Fitting): string => `${fitting.parameter} ${nearest(fitting.value, 6)}`;

const verbs: Record<string, string> = {
  init: 'ledger made',
  import: 'ledger imported',
  scope: 'scope made',
  blocks: 'blocks declared',
  lower: 'budget lowered',
  raise: 'budget raised',
  charge: 'charge',
  reserve: 'reservation',
  open: 'ticket opened',
  commit: 'ticket committed',
  cancel: 'ticket cancelled',
  expire: 'ticket expired',
  token: 'token',
};

export const verbText = (verb: string): string => verbs[verb] ?? verb;

/** What an entry is about, in one line. */
export function whatOf({ request }: Entry): string {
  if (request.steps) {
    const blocks = request.blocks ? ` on ${request.blocks.join(', ')}` : '';
    return stepsText(request.steps, request.count) + blocks;
  }
  if (request.budget) return `${kindOf(request.budget)}, ${budgetText(request.budget)}${request.reason ? `: ${request.reason}` : ''}`;
  if (request.token) {
    const { id, holder, role, scopes } = request.token;
    return `${request.event ?? ''} ${id} for ${holder}${role ? `, ${role}` : ''}${scopes ? ` of ${scopes.join(' and ')}` : ''}`;
  }
  if (request.ticket !== undefined) return `ticket ${request.ticket}`;
  if (request.blocks) return request.blocks.join(', ');
  return '';
}

/** How neighbouring datasets differ, in words. */
export function relationText(neighbors: string, unit: number): string {
  const whom = unit === 1 ? 'one record' : `up to ${unit.toLocaleString()} records of one person`;
  if (neighbors === 'replace-one') return `${whom} replaced`;
  if (neighbors === 'zero-out') return `${whom} emptied`;
  return `${whom} added or removed`;
}
