// Charging what was asked about. The key is made once, when the dialog opens: a double click, or another try after an answer
// was lost, is recognised by the ledger and never charged twice.
import { useRef, useState } from 'preact/hooks';
import type { Receipt } from './answers';
import { Failure, newKey, write } from './client';
import { Dialog, Entry, Faults, Hash, Wrong } from './parts';
import { CostTable, type Question } from './still_ask';
import { refresh } from './store';
import { stepsText } from './words';

export function ChargeDialog({ question, receipt, close }: { question: Question; receipt: Receipt; close: () => void }) {
  const key = useRef(newKey('charge'));
  const working = useRef(false);
  const [comment, setComment] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  const [done, setDone] = useState<Receipt | undefined>(undefined);
  const isUncertain = failure instanceof Failure && failure.isUncertain;

  const charge = async (event: Event) => {
    event.preventDefault();
    // State arrives with the next drawing, which a second click may precede.
    if (working.current || done) return;
    working.current = true;
    setBusy(true);
    setFailure(undefined);
    try {
      setDone(await write<Receipt>('charge', { ...question, ...(comment.trim() ? { comment: comment.trim() } : {}) }, key.current));
      void refresh();
    } catch (error) {
      setFailure(error);
    }
    working.current = false;
    setBusy(false);
  };

  if (done) {
    return (
      <Dialog title={done.accepted ? 'Charged' : 'Refused'} close={close}>
        {done.accepted ? (
          <p>
            {done.repeated
              ? 'An earlier try had arrived: it was charged once. If its steps have run already, do not run them again.'
              : 'The steps are paid for, and may run now.'}
          </p>
        ) : (
          <p>Nothing changed: {done.reason}. Somebody else may have charged in between.</p>
        )}
        <p class="help">
          Entry {done.entry} of the log{done.hash && <>, hash <Hash of={done.hash} /></>}
        </p>
        <div class="buttons">
          <button type="button" class="main" onClick={close} autofocus>
            Close
          </button>
        </div>
      </Dialog>
    );
  }
  const faults = new Faults(failure);
  return (
    <Dialog title={`Charge ${question.scope}?`} close={close}>
      <form onSubmit={charge}>
        <p>
          <b>{stepsText(question.steps, typeof question.count === 'number' ? question.count : 1)}</b>
          {question.blocks && ` on ${question.blocks.join(', ')}`}
        </p>
        <CostTable receipt={receipt} />
        <p>What is charged stays spent. It is recorded under your name.</p>
        {/* An answer that was lost may have been recorded with its comment, so that another try must have the same one. */}
        <Entry label="Comment" value={comment} set={setComment} help="What is published, for the log; no data" error={faults.at('comment')} disabled={isUncertain} />
        <Wrong text={faults.beside('comment')} />
        {isUncertain && (
          <p class="help">Whether it was charged is not known. Trying again is safe: the same key is sent, so that it is charged at most once.</p>
        )}
        <div class="buttons">
          <button type="button" onClick={close}>
            {isUncertain ? 'Close' : 'Do not charge'}
          </button>
          <button type="submit" class="main" disabled={busy}>
            {busy ? 'Charging …' : isUncertain ? 'Try again' : 'Charge it'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
