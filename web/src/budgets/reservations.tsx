// Reservations that are pending: what they hold, until when, and the way to give them back.
import { useRef, useState } from 'preact/hooks';
import { roundedUp } from '../app/numbers';
import { numberOf } from '../engine/answers';
import type { Receipt, Scope, Session } from './answers';
import { newKey, write } from './client';
import { Countdown, Dialog, Faults, ScopeName, Time, Wrong } from './parts';
import { isWithin, maySpend, whyNotSpend } from './roles';
import { pending, refresh, shown } from './store';
import type { Pending } from './tickets';
import { decisive, stepsText } from './words';

function costText(one: Pending, scope: Scope): string {
  const place = decisive(scope);
  const cost = one.costs?.find((row) => row.scope === scope.scope)?.costs?.[place];
  return cost === undefined ? 'not known' : `${scope.balances[place]?.name ?? ''} ${roundedUp(numberOf(cost), 4)}`;
}

/** Asks before it gives back, with a key that is made once for the intent. */
function CancelDialog({ one, scope, close }: { one: Pending; scope: Scope; close: () => void }) {
  const key = useRef(newKey('cancel'));
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  const [refusal, setRefusal] = useState('');
  const cancel = async () => {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const receipt = await write<Receipt>('cancel', { ticket: one.ticket }, key.current);
      if (receipt.accepted) close();
      else setRefusal(receipt.reason ?? 'It was refused.');
      void refresh();
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  };
  return (
    <Dialog title={`Cancel ticket ${one.ticket}?`} close={close}>
      <p>
        {one.person || 'Somebody'} has reserved {costText(one, scope)} of <b>{one.scope}</b>. It goes back to the budget, and the ticket can no longer be
        opened.
      </p>
      <Wrong text={refusal || new Faults(failure).beside()} />
      <div class="buttons">
        <button type="button" onClick={close}>
          Keep it
        </button>
        {!refusal && (
          <button type="button" class="danger" onClick={cancel} disabled={busy}>
            {busy ? 'Cancelling …' : 'Cancel the ticket'}
          </button>
        )}
      </div>
    </Dialog>
  );
}

/** Whether what was reserved there may be given back: every scope that holds it must allow that. */
const mayCancel = (one: Pending): boolean => (shown.value?.scopes ?? []).every((outer) => outer.may_cancel || !isWithin(one.scope, outer.scope));

export function Reservations({ scope, session }: { scope: Scope; session: Session }) {
  const [asked, setAsked] = useState<Pending | undefined>(undefined);
  const here = pending.value.filter((one) => isWithin(one.scope, scope.scope));
  return (
    <section class="card" aria-labelledby="reservations-title">
      <h3 id="reservations-title">Pending reservations</h3>
      {here.length === 0 ? (
        <p class="help">None in {scope.scope} or within it. Reserved tickets hold a part of the budget until they are opened, cancelled or expired.</p>
      ) : (
        <table class="cards">
          <thead>
            <tr>
              <th scope="col">Ticket</th>
              <th scope="col">Who</th>
              <th scope="col">Scope</th>
              <th scope="col">For</th>
              <th scope="col">Holds</th>
              <th scope="col">Expires in</th>
              <th scope="col">
                <span class="off-screen">Action</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {here.map((one) => (
              <tr key={one.ticket}>
                <th scope="row" data-label="Ticket">
                  {one.ticket}
                </th>
                <td data-label="Who">{one.person || '–'}</td>
                <td data-label="Scope">
                  <span>
                    <ScopeName of={one.scope} />
                  </span>
                </td>
                <td data-label="For">
                  <span>
                    {one.comment && <span class="comment">{one.comment}: </span>}
                    {stepsText(one.steps, one.count)}
                    {one.blocks.length > 0 && ` on ${one.blocks.join(', ')}`}
                    <span class="since">
                      since <Time of={one.time} />
                    </span>
                  </span>
                </td>
                <td data-label="Holds">{costText(one, scope)}</td>
                <td data-label="Expires in">
                  <Countdown to={one.expires} done={() => setTimeout(() => void refresh(), 1500)} />
                </td>
                <td data-label="">
                  {maySpend(session, one.scope) && mayCancel(one) ? (
                    <button type="button" class="quiet" onClick={() => setAsked(one)} aria-label={`Cancel ticket ${one.ticket}`}>
                      Cancel …
                    </button>
                  ) : (
                    <span class="help" title={mayCancel(one) ? whyNotSpend(session) : 'In this scope nothing that was reserved is given back.'}>
                      no cancelling
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {asked && <CancelDialog one={asked} scope={scope} close={() => setAsked(undefined)} />}
    </section>
  );
}
