// The history: every entry, also refusals, from the newest to the oldest, with the chain of hashes checked in this browser.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Session } from './answers';
import { canHash, checkChain, type ChainResult } from './chain';
import { type LogEntry, type LogFilter, readBack } from './log';
import { Entry, Faults, Hash, Pick, ScopeName, Time, Wrong } from './parts';
import { mayAudit } from './roles';
import { shown, version } from './store';
import { Verify } from './verify';
import { whatOf, verbText } from './words';

const most = 40;

function Outcome({ of }: { of: LogEntry }) {
  const { outcome } = of.content;
  if (outcome.accepted) return <span class="came-of-it">✓ accepted</span>;
  return (
    <span class="came-of-it refused">
      <b>✗ refused</b>
      {outcome.reason && (
        <span class="why">
          {outcome.refused_by && `${outcome.refused_by}: `}
          {outcome.reason}
        </span>
      )}
    </span>
  );
}

function Rows({ entries, wrong }: { entries: LogEntry[]; wrong?: number }) {
  return (
    <table class="cards history">
      <thead>
        <tr>
          <th scope="col">Entry</th>
          <th scope="col">Time</th>
          <th scope="col">What</th>
          <th scope="col">Scope</th>
          <th scope="col">Who</th>
          <th scope="col">Outcome</th>
          <th scope="col">Hash</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((one) => {
          const { request, outcome } = one.content;
          return (
            <tr key={one.entry} class={outcome.accepted ? undefined : 'refused'} data-verb={request.verb}>
              <th scope="row" data-label="Entry">
                {one.entry}
              </th>
              <td data-label="Time">
                <Time of={one.content.time} />
              </td>
              <td data-label="What">
                <div class="lines">
                  <b>{verbText(request.verb)}</b>
                  <span>{whatOf(one.content)}</span>
                  {request.comment && <span class="comment">“{request.comment}”</span>}
                </div>
              </td>
              <td data-label="Scope">
                <span>{request.scope ? <ScopeName of={request.scope} /> : '–'}</span>
              </td>
              <td data-label="Who">{request.person ?? '–'}</td>
              <td data-label="Outcome">
                <Outcome of={one} />
              </td>
              <td data-label="Hash">
                {wrong === one.entry ? <b class="bad">✗ wrong</b> : null} <Hash of={one.hash} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** What the browser found about the entries that are shown. */
function Checked({ entries, result }: { entries: LogEntry[]; result: ChainResult | undefined }) {
  if (!canHash()) {
    return <p class="help">This address is not secure (https, or this machine), so that the browser offers no SHA-256 and checks no hashes.</p>;
  }
  if (entries.length === 0) return null;
  if (!result) return <p class="help">Checking hashes …</p>;
  if (result.wrong) {
    return (
      <p class="chain bad" role="alert">
        <b>✗ Entry {result.wrong.entry} is wrong:</b> {result.wrong.why}.
      </p>
    );
  }
  return (
    <p class="chain">
      <b>✓ Checked in this browser:</b> {result.hashed} {result.hashed === 1 ? 'entry has the SHA-256 that is' : 'entries have the SHA-256 that is'} stated,{' '}
      {result.linked} {result.linked === 1 ? 'link' : 'links'} to the entry before {result.linked === 1 ? 'agrees' : 'agree'}
      {result.linked < result.hashed - 1 && '; entries in between are not shown'}.
    </p>
  );
}

export function History({ session }: { session: Session }) {
  const [form, setForm] = useState<LogFilter>({});
  const [entries, setEntries] = useState<LogEntry[]>([]);
  const [next, setNext] = useState<number | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const [result, setResult] = useState<ChainResult | undefined>(undefined);
  const [busy, setBusy] = useState(true);
  const newest = useRef(0);

  const load = async (newer: LogEntry[], before?: number) => {
    const mine = ++newest.current;
    setBusy(true);
    try {
      const more = await readBack(form, most, before);
      if (mine !== newest.current) return;
      const all = [...newer, ...more.entries];
      setEntries(all);
      setNext(more.next);
      setFailure(undefined);
      setResult(undefined);
      if (canHash()) {
        const checked = await checkChain([...all].reverse());
        if (mine === newest.current) setResult(checked);
      }
    } catch (error) {
      if (mine === newest.current) setFailure(error);
    }
    if (mine === newest.current) setBusy(false);
  };
  const state = version.value;
  const asked = JSON.stringify(form);
  useEffect(() => {
    // What is typed is asked for once it rests.
    const timer = setTimeout(() => void load([]), 250);
    return () => clearTimeout(timer);
  }, [asked, state]);

  const faults = new Faults(failure);
  const scopes = shown.value?.scopes.map(({ scope }) => scope) ?? [];
  const set = (part: LogFilter) => setForm({ ...form, ...part });
  return (
    <>
      {mayAudit(session.role) && <Verify />}
      <section class="card" aria-labelledby="history-title">
        <h2 id="history-title">History</h2>
        <form class="filters" onSubmit={(event) => event.preventDefault()} aria-label="Filter">
          <Pick label="Scope, and within it" value={form.scope ?? ''} options={[['', session.role === 'analyst' ? 'all of yours' : 'all scopes'], ...scopes.map((one): [string, string] => [one, one])]} set={(scope) => set({ scope })} error={faults.at('scope')} />
          <Entry label="Person" value={form.person ?? ''} set={(person) => set({ person })} error={faults.at('person')} placeholder="anybody" />
          <Entry label="Since (UTC)" type="date" value={form.since ?? ''} set={(since) => set({ since })} error={faults.at('since')} />
          <Entry label="Until (UTC)" type="date" value={form.until ?? ''} set={(until) => set({ until })} error={faults.at('until')} />
        </form>
        <Wrong text={faults.beside('scope', 'person', 'since', 'until')} />
        <div aria-live="polite">
          <Checked entries={entries} result={result} />
        </div>
        {entries.length > 0 ? <Rows entries={entries} wrong={result?.wrong?.entry} /> : <p class="help">{busy ? 'Reading …' : 'No entry matches.'}</p>}
        {next !== undefined && (
          <button type="button" onClick={() => void load(entries, next)} disabled={busy}>
            {busy ? 'Reading …' : 'Older entries'}
          </button>
        )}
      </section>
    </>
  );
}
