// Release receipts: tickets that were committed, with what was published, what it cost and where the log says so.
import { useEffect, useRef, useState } from 'preact/hooks';
import { roundedUp } from '../app/numbers';
import { numberOf } from '../engine/answers';
import { download } from '../share/download';
import { canHash, sha256 } from './chain';
import { Dialog, Faults, Hash, ScopeName, Time, Wrong } from './parts';
import { shown, version } from './store';
import { detailsOf, findReleases, type Release, type ReleaseDetails } from './tickets';
import { relationText, stepsText } from './words';

const most = 25;

/** The stored text as a person reads it: JSON with its lines, everything else as it is. */
function readable(output: string): string {
  try {
    return JSON.stringify(JSON.parse(output), null, 2);
  } catch {
    return output;
  }
}

function Output({ release, output }: { release: Release; output: string | undefined }) {
  const [digest, setDigest] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (output !== undefined && canHash()) void sha256(output).then(setDigest);
  }, [output]);
  if (output === undefined) {
    return <p>{release.outputSha256 ? 'The document is kept elsewhere, or is no text; its digest is above.' : 'Nothing was stored with the ticket.'}</p>;
  }
  const agrees = digest === undefined ? undefined : digest === release.outputSha256;
  const isJson = readable(output) !== output || output.trim().startsWith('{');
  return (
    <>
      {agrees !== undefined && (
        <p class={agrees ? 'chain' : 'chain bad'}>{agrees ? '✓ This browser computed the same SHA-256 of the document.' : '✗ The document does not have the digest of the log.'}</p>
      )}
      <pre class="document" tabIndex={0} aria-label="The published document">
        {readable(output)}
      </pre>
      <button type="button" class="no-print" onClick={() => download(`release-${release.ticket}.${isJson ? 'json' : 'txt'}`, output, isJson ? 'application/json' : 'text/plain')}>
        Download the document
      </button>
    </>
  );
}

function ReceiptBody({ release, details }: { release: Release; details: ReleaseDetails }) {
  const { reserved, ticket, costs } = details;
  const scope = shown.value?.scopes.find((one) => one.scope === release.scope);
  return (
    <>
      <dl class="receipt">
        <div>
          <dt>Ticket</dt>
          <dd>
            {release.ticket} of ledger <code>{shown.value?.ledger}</code>
          </dd>
        </div>
        <div>
          <dt>Scope</dt>
          <dd>
            {release.scope}
            {scope && <span class="help"> ({relationText(scope.neighbors, scope.unit)})</span>}
          </dd>
        </div>
        <div>
          <dt>Reserved</dt>
          <dd>
            <Time of={reserved.time} seconds /> by {reserved.request.person ?? 'somebody'}
            {reserved.request.comment && <>, “{reserved.request.comment}”</>}
          </dd>
        </div>
        <div>
          <dt>Committed</dt>
          <dd>
            <Time of={release.time} seconds /> by {release.person || 'somebody'}
            {release.comment && <>, “{release.comment}”</>}
          </dd>
        </div>
        <div>
          <dt>Steps</dt>
          <dd>
            {stepsText(reserved.request.steps ?? [], reserved.request.count)}
            {reserved.request.blocks && ` on ${reserved.request.blocks.join(', ')}`}
          </dd>
        </div>
        <div>
          <dt>Cost</dt>
          <dd>
            {costs.map((row) => (
              <span class="cost">
                {row.scope}: {row.balances.map((balance, place) => `${balance.name} ${roundedUp(numberOf(row.costs?.[place] ?? NaN), 5)}`).join(', ')}
              </span>
            ))}
          </dd>
        </div>
        <div>
          <dt>SHA-256 of the document</dt>
          <dd>
            <code class="whole">{release.outputSha256 || 'none'}</code>
          </dd>
        </div>
        <div>
          <dt>Entries of the log</dt>
          <dd>
            {reserved.entry}: <code class="whole">{reserved.hash}</code>
            <br />
            {release.entry}: <code class="whole">{release.hash}</code>
          </dd>
        </div>
      </dl>
      <Output release={release} output={ticket.output} />
    </>
  );
}

function ReceiptDialog({ release, close }: { release: Release; close: () => void }) {
  const [details, setDetails] = useState<ReleaseDetails | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  useEffect(() => {
    detailsOf(release).then(setDetails, setFailure);
  }, []);
  return (
    <Dialog title={`Receipt of release ${release.ticket}`} close={close} class="printed">
      {details ? <ReceiptBody release={release} details={details} /> : failure === undefined && <p class="help">Reading …</p>}
      <Wrong text={new Faults(failure).beside()} />
      <div class="buttons no-print">
        <button type="button" onClick={() => print()} disabled={!details}>
          Print
        </button>
        <button type="button" class="main" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

export function Receipts() {
  const [releases, setReleases] = useState<Release[]>([]);
  const [next, setNext] = useState<number | undefined>(undefined);
  const [busy, setBusy] = useState(true);
  const [failure, setFailure] = useState<unknown>(undefined);
  const [open, setOpen] = useState<Release | undefined>(undefined);
  const newest = useRef(0);

  const load = async (newer: Release[], before?: number) => {
    const mine = ++newest.current;
    setBusy(true);
    try {
      const part = await findReleases(most, before);
      if (mine !== newest.current) return;
      setReleases([...newer, ...part.releases]);
      setNext(part.next);
      setFailure(undefined);
    } catch (error) {
      if (mine === newest.current) setFailure(error);
    }
    if (mine === newest.current) setBusy(false);
  };
  const state = version.value;
  useEffect(() => void load([]), [state]);

  return (
    <section class="card" aria-labelledby="receipts-title">
      <h2 id="receipts-title">Release receipts</h2>
      <p class="help">Tickets that were reserved, opened before data was touched, and committed with what was published.</p>
      <Wrong text={new Faults(failure).beside()} />
      {releases.length === 0 ? (
        <p>{busy ? 'Reading …' : 'Nothing was published yet.'}</p>
      ) : (
        <table class="cards">
          <thead>
            <tr>
              <th scope="col">Ticket</th>
              <th scope="col">Committed</th>
              <th scope="col">Scope</th>
              <th scope="col">Who</th>
              <th scope="col">What</th>
              <th scope="col">Document</th>
              <th scope="col">
                <span class="off-screen">Receipt</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {releases.map((release) => (
              <tr key={release.entry}>
                <th scope="row" data-label="Ticket">
                  {release.ticket}
                </th>
                <td data-label="Committed">
                  <Time of={release.time} />
                </td>
                <td data-label="Scope">
                  <span>
                    <ScopeName of={release.scope} />
                  </span>
                </td>
                <td data-label="Who">{release.person || '–'}</td>
                <td data-label="What">{release.comment || '–'}</td>
                <td data-label="Document">
                  <Hash of={release.outputSha256} />
                </td>
                <td data-label="">
                  <button type="button" class="quiet" onClick={() => setOpen(release)} aria-label={`Receipt of ticket ${release.ticket}`}>
                    Receipt
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {next !== undefined && (
        <button type="button" onClick={() => void load(releases, next)} disabled={busy}>
          {busy ? 'Reading …' : 'Older receipts'}
        </button>
      )}
      {open && <ReceiptDialog release={open} close={() => setOpen(undefined)} />}
    </section>
  );
}
