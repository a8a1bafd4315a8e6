// One scope: its balances, what it guarantees, how it was spent, its blocks, what is reserved, and what still fits.
import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { roundedUp, typed } from '../app/numbers';
import { exactOf, numberOf, renyiOf } from '../engine/answers';
import type { Budget, Scope, Session, Shown } from './answers';
import { Balances, Bar } from './bar';
import { burnDownOf } from './burn_down';
import { BurnDownChart } from './burn_down_chart';
import { read } from './client';
import { Entry, Faults, Pick, Wrong } from './parts';
import { Reservations } from './reservations';
import { StillAsk } from './still_ask';
import { version } from './store';
import { budgetText, decisive, kindOf, leftText, limitText, relationText, shareOf, spentText, symbolOf } from './words';

/** The delta at which guarantees are stated; one for all scopes. */
const delta = signal('1e-6');

type Granularity = 'entry' | 'hour' | 'day';

/** So many charges are drawn one by one; more are put together by day. */
const mostSingle = 1000;

function Guarantee({ scope, cap }: { scope: Scope; cap: Budget }) {
  const { guarantee } = scope;
  const exact = guarantee && exactOf(guarantee);
  const renyi = guarantee && renyiOf(guarantee);
  const epsilon = exact ? numberOf(exact.upper) : renyi ? numberOf(renyi.epsilon) : undefined;
  const same = budgetText(cap) === budgetText(scope.budget);
  return (
    <p class="sentence" aria-live="polite">
      {epsilon === undefined ? (
        'What it guarantees at this delta is not known.'
      ) : (
        <>
          All charges together, whatever is still asked, are at most <b>({symbolOf('epsilon')} {roundedUp(epsilon, 4)}, δ {delta.value})</b>-differentially private for{' '}
          {relationText(scope.neighbors, scope.unit)}
          {same ? '.' : `: that is what the cap (${budgetText(cap)}) guarantees, to which the budget may be raised.`}
        </>
      )}
    </p>
  );
}

function Blocks({ scope }: { scope: Scope }) {
  if (!scope.block_rule) return null;
  const rows = scope.block_balances ?? [];
  return (
    <section class="card" aria-labelledby="blocks-title">
      <h3 id="blocks-title">Blocks</h3>
      <p class="help">
        By {scope.block_rule.rule}. {scope.blocks_add_up ? 'Charges on different blocks add up.' : 'The block with the most spent counts.'}
      </p>
      {rows.length === 0 ? (
        <p>{scope.blocks?.join(', ') || 'None is declared yet.'}</p>
      ) : (
        <div class="scroll">
          <table class="balances">
            <thead>
              <tr>
                <th scope="col">Block</th>
                <th scope="col">Spent</th>
                <th scope="col">Left</th>
                <th scope="col" class="wide">
                  <span class="off-screen">Share</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ block, balances }) => {
                const balance = balances[decisive({ balances, budget: scope.budget })];
                if (!balance) return null;
                return (
                  <tr>
                    <th scope="row">{block}</th>
                    <td>
                      {balance.name} {spentText(balance)} of {limitText(balance)}
                    </td>
                    <td>
                      <b>{leftText(balance)}</b>
                    </td>
                    <td class="wide">
                      <Bar spent={shareOf(balance.spent, balance, scope.budget)} reserved={0} />
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** The whole answer about a scope: asked again when the ledger, the delta or the granularity changes. */
function useWhole(scope: Scope, granularity: Granularity): { whole: Scope; failure: unknown } {
  const [whole, setWhole] = useState<Scope>(scope);
  const [failure, setFailure] = useState<unknown>(undefined);
  const newest = useRef(0);
  const state = version.value;
  const number = typed(delta.value);
  useEffect(() => {
    const mine = ++newest.current;
    if (whole.scope !== scope.scope) setWhole(scope);
    const timer = setTimeout(
      async () => {
        try {
          const asked = { scope: scope.scope, burn_down: granularity, delta: number ?? delta.value };
          const answer = await read<Shown>('show', asked);
          if (mine !== newest.current || !answer.scopes[0]) return;
          setWhole(answer.scopes[0]);
          setFailure(undefined);
        } catch (error) {
          if (mine === newest.current) setFailure(error);
        }
      },
      whole.burn_down ? 250 : 100,
    );
    return () => clearTimeout(timer);
  }, [scope.scope, granularity, delta.value, state]);
  return { whole: whole.scope === scope.scope ? whole : scope, failure };
}

function History({ scope, granularity, set }: { scope: Scope; granularity: Granularity; set: (by: Granularity) => void }) {
  const [place, setPlace] = useState<number | undefined>(undefined);
  const points = scope.burn_down;
  const shown = Math.min(place ?? decisive(scope), scope.balances.length - 1);
  const burn = useMemo(() => points && burnDownOf(scope.scope, points, shown, Date.now() / 1000), [points, shown]);
  return (
    <section class="card" aria-labelledby="burn-down-title">
      <div class="heading">
        <h3 id="burn-down-title">Burn-down</h3>
        {scope.balances.length > 1 && (
          <Pick label="Number" value={String(shown)} options={scope.balances.map(({ name }, index): [string, string] => [String(index), name])} set={(text) => setPlace(Number(text))} />
        )}
        <Pick
          label="By"
          value={granularity}
          options={[
            ['entry', 'charge'],
            ['hour', 'hour'],
            ['day', 'day'],
          ]}
          set={(by) => set(by as Granularity)}
        />
      </div>
      {burn && burn.times.length > 0 ? (
        <BurnDownChart burn={burn} file={`renyi-burn-down-${scope.scope.replace(/[^\w-]+/g, '-')}`} />
      ) : (
        <p class="help">{points ? 'Nothing was charged yet.' : 'Reading …'}</p>
      )}
    </section>
  );
}

export function Details({ scope, session, id }: { scope: Scope; session: Session; id: string }) {
  const [by, setBy] = useState<Granularity | undefined>(undefined);
  const granularity = by ?? (scope.charges > mostSingle ? 'day' : 'entry');
  const { whole, failure } = useWhole(scope, granularity);
  // Balances are those of the tree, which are never older than the rest.
  const now: Scope = { ...whole, ...scope };
  const faults = new Faults(failure);
  return (
    <div class="scope-parts">
      <section class="card" aria-labelledby={id}>
        <h2 id={id} tabIndex={-1}>
          {scope.scope}
        </h2>
        <p class="facts">
          <span>
            {kindOf(scope.budget)}, {budgetText(scope.budget)}
          </span>
          {scope.cap && budgetText(scope.cap) !== budgetText(scope.budget) && <span>cap {budgetText(scope.cap)}</span>}
          <span>{relationText(scope.neighbors, scope.unit)}</span>
          <span>
            {scope.charges.toLocaleString()} {scope.charges === 1 ? 'charge' : 'charges'}
          </span>
        </p>
        {scope.note && <p class="note">{scope.note}</p>}
        <Balances scope={scope} />
        <div class="guarantee">
          <Guarantee scope={now} cap={scope.cap ?? scope.budget} />
          <Entry label="at delta" value={delta.value} set={(text) => (delta.value = text)} decimal error={faults.at('delta')} />
        </div>
        <Wrong text={faults.beside('delta')} />
      </section>
      <History scope={now} granularity={granularity} set={setBy} />
      <Blocks scope={now} />
      <StillAsk scope={scope} session={session} />
      <Reservations scope={scope} session={session} />
    </div>
  );
}

