// The numbers of a budget, by its kind; for new scopes, for caps, and for changes of budgets.
import { typed } from '../app/numbers';
import type { Budget } from './answers';
import { Entry, type Faults } from './parts';

interface Member {
  name: string;
  label: string;
  help: string;
  list?: 'numbers' | 'limits';
}

const rho: Member = { name: 'rho', label: 'rho', help: 'divergence of order a is at most rho a' };
const epsilon: Member = { name: 'epsilon', label: 'epsilon', help: 'of all charges together' };
const delta: Member = { name: 'delta', label: 'delta', help: 'such as 1e-6' };

export const kinds: { kind: string; words: string; members: Member[] }[] = [
  { kind: 'zcdp', words: 'zCDP: counts, sums, several kinds of noise', members: [rho] },
  { kind: 'gdp', words: 'Gaussian DP: Gaussian noise on real numbers only', members: [{ name: 'mu', label: 'mu', help: 'squares add up' }] },
  { kind: 'pure', words: 'pure DP: Laplace noise and randomized responses', members: [epsilon] },
  { kind: 'approx', words: '(epsilon, delta): releases of other software', members: [epsilon, delta] },
  {
    kind: 'shares',
    words: 'Rényi DP, shares of delta: training on samples',
    members: [epsilon, delta, { name: 'orders', label: 'orders', help: 'such as 8, 16, 32, 64', list: 'numbers' }],
  },
  { kind: 'order', words: 'Rényi DP at one order', members: [{ name: 'order', label: 'order', help: 'above 1' }, epsilon] },
  {
    kind: 'curve',
    words: 'Rényi DP at several orders',
    members: [{ name: 'limits', label: 'limits', help: 'order and epsilon, such as 8: 0.1, 32: 0.5', list: 'limits' }],
  },
  { kind: 'tcdp', words: 'truncated CDP', members: [rho, { name: 'omega', label: 'omega', help: 'orders up to this one' }] },
];

export const membersOf = (kind: string): Member[] => kinds.find((one) => one.kind === kind)?.members ?? [];

const number = (text: string): number | string => typed(text) ?? text;

/** The budget that was typed; undefined if nothing was. */
export function budgetOf(kind: string, texts: Record<string, string>): Budget | undefined {
  const members = membersOf(kind);
  if (members.every(({ name }) => !texts[name]?.trim())) return undefined;
  const budget: Budget = { kind };
  for (const { name, list } of members) {
    const text = texts[name]?.trim() ?? '';
    if (!text) continue;
    if (list === 'numbers') budget[name] = text.split(/[\s,;]+/).filter(Boolean).map(number);
    else if (list === 'limits') {
      budget[name] = text
        .split(/[,;]+/)
        .filter((pair) => pair.trim())
        .map((pair) => {
          const [order = '', limit = ''] = pair.split(':').map((part) => part.trim());
          return { order: order === 'inf' ? 'inf' : number(order), epsilon: number(limit) };
        });
    } else budget[name] = number(text);
  }
  return budget;
}

/** A budget as it is typed. */
export function textsOf(budget: Budget): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const { name, list } of membersOf(budget.kind)) {
    const value = budget[name];
    if (list === 'limits') texts[name] = (value as { order: unknown; epsilon: unknown }[]).map((one) => `${String(one.order)}: ${String(one.epsilon)}`).join(', ');
    else if (value !== undefined) texts[name] = String(value);
  }
  // Shares are kept one by one, and are typed as their orders with the sum of their deltas.
  if (budget.kind === 'shares' && Array.isArray(budget.shares)) {
    const shares = budget.shares as { order: number; delta: number }[];
    texts.orders = shares.map(({ order }) => order).join(', ');
    texts.delta = String(Number(shares.reduce((sum, share) => sum + share.delta, 0).toPrecision(6)));
  }
  return texts;
}

interface Props {
  kind: string;
  texts: Record<string, string>;
  set: (texts: Record<string, string>) => void;
  faults: Faults;
  /** The member of the request, as errors name it. */
  path: string;
  prefix?: string;
}

export function BudgetFields({ kind, texts, set, faults, path, prefix = '' }: Props) {
  const members = membersOf(kind);
  const own = members.some(({ name }) => faults.at(`${path}.${name}`));
  return (
    <div class="grid">
      {members.map(({ name, label, help, list }, index) => (
        <Entry
          key={`${kind} ${name}`}
          label={`${prefix}${label}`}
          help={help}
          decimal={!list}
          value={texts[name] ?? ''}
          set={(text) => set({ ...texts, [name]: text })}
          error={faults.at(`${path}.${name}`) ?? (index === 0 && !own ? faults.at(path) : undefined)}
        />
      ))}
    </div>
  );
}
