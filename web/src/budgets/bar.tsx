// A budget as a bar: spent, reserved, left. The same is said in words beside it, so that the bar is only for the eye.
import { roundedUp } from '../app/numbers';
import { numberOf } from '../engine/answers';
import type { Balance, Scope } from './answers';
import { pending } from './store';
import { reservedIn } from './tickets';
import { addsSquares, decisive, leftText, limitText, shareOf, spentText } from './words';

interface Parts {
  balance: Balance;
  spent: number;
  reserved: number;
  reservedAmount: number | undefined;
}

function partsOf(scope: Scope, place: number): Parts | undefined {
  const balance = scope.balances[place];
  if (!balance) return undefined;
  const all = shareOf(balance.spent, balance, scope.budget);
  const reservedAmount = reservedIn(scope, place, pending.value);
  const reserved = Math.min(all, shareOf(reservedAmount ?? 0, balance, scope.budget));
  return { balance, spent: all - reserved, reserved, reservedAmount };
}

export function Bar({ spent, reserved }: { spent: number; reserved: number }) {
  const level = spent + reserved > 0.9 ? 'high' : spent + reserved > 0.7 ? 'middle' : 'low';
  // What is spent is never invisible, however little it is.
  const width = (share: number) => (share > 0 ? `${Math.max(1, 100 * share).toFixed(2)}%` : '0');
  return (
    <div class="meter" data-level={level} aria-hidden="true">
      <span class="spent" style={{ width: width(spent) }} />
      <span class="reserved" style={{ width: width(reserved) }} />
    </div>
  );
}

/** The bar of the balance that decides, with its numbers. */
export function ScopeBar({ scope }: { scope: Scope }) {
  const parts = partsOf(scope, decisive(scope));
  if (!parts) return null;
  const { balance, spent, reserved } = parts;
  return (
    <>
      <Bar spent={spent} reserved={reserved} />
      <span class="amounts">
        <span>
          {balance.name}: {spentText(balance, 4)} of {limitText(balance)} spent
        </span>
        <span>
          {leftText(balance, 4)} left{scope.reserved > 0 && `, ${scope.reserved} reserved`}
        </span>
      </span>
    </>
  );
}

/** Every balance of a scope, as a table with bars. */
export function Balances({ scope }: { scope: Scope }) {
  const best = scope.balances.length > 1 ? decisive(scope) : -1;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`Balances of ${scope.scope}`}>
      <table class="balances">
        <thead>
          <tr>
            <th scope="col">
              <span class="off-screen">Number</span>
            </th>
            <th scope="col">Budget</th>
            <th scope="col">Spent</th>
            <th scope="col">Reserved</th>
            <th scope="col">Left{addsSquares(scope.budget) || scope.budget.kind === 'approx' ? ' for one more' : ''}</th>
            <th scope="col" class="wide">
              <span class="off-screen">Share</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {scope.balances.map((_, place) => {
            const parts = partsOf(scope, place);
            if (!parts) return null;
            const { balance, spent, reserved, reservedAmount } = parts;
            return (
              <tr class={place === best ? 'decisive' : undefined}>
                <th scope="row">
                  {balance.name}
                  {place === best && <span class="tag" title="It decides whether a charge fits.">decides</span>}
                </th>
                <td>{limitText(balance)}</td>
                <td>{spentText(balance)}</td>
                <td>{scope.reserved === 0 ? '0' : reservedAmount === undefined ? `${scope.reserved} ${scope.reserved === 1 ? 'ticket' : 'tickets'}` : roundedUp(reservedAmount, 4)}</td>
                <td>
                  <b>{numberOf(balance.left) <= 0 ? 'nothing' : leftText(balance)}</b>
                </td>
                <td class="wide">
                  <Bar spent={spent} reserved={reserved} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
