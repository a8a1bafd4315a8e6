// Verification of the whole log: by the server, which replays it, and by this browser, which checks its hashes.
import { useState } from 'preact/hooks';
import { download } from '../share/download';
import type { Head, Verification } from './answers';
import { canHash, checkExport, type ChainResult } from './chain';
import { read } from './client';
import { CopyButton, Faults, Wrong } from './parts';
import { shown } from './store';

interface Kept {
  server: Verification;
  browser?: ChainResult;
  at: Date;
}

const textOf = ({ ledger, entry, hash }: Head) => `${ledger}:${entry}:${hash}`;

function ServerSays({ server }: { server: Verification }) {
  const notes = typeof server.notes === 'string' ? [server.notes] : (server.notes ?? []);
  return (
    <>
      <p class={server.valid ? 'chain' : 'chain bad'} role={server.valid ? undefined : 'alert'}>
        <b>{server.valid ? '✓ Valid:' : '✗ Not valid:'}</b>{' '}
        {server.valid
          ? `the server has replayed ${server.entries.toLocaleString()} entries, and the balances agree with them.`
          : `${server.wrong_entry === undefined ? '' : `entry ${server.wrong_entry}: `}${server.fault}.`}
        {server.witnessed !== undefined && ` The witness agrees up to entry ${server.witnessed}.`}
      </p>
      {notes.map((note) => (
        <p class="help">{note}</p>
      ))}
    </>
  );
}

function BrowserSays({ browser }: { browser: ChainResult | undefined }) {
  if (!browser) return <p class="help">The browser offers no SHA-256 at this address, so that it checks nothing by itself.</p>;
  if (browser.wrong) {
    return (
      <p class="chain bad" role="alert">
        <b>✗ This browser found entry {browser.wrong.entry} wrong:</b> {browser.wrong.why}.
      </p>
    );
  }
  return (
    <p class="chain">
      <b>✓ Checked in this browser:</b> the SHA-256 of all {browser.hashed.toLocaleString()} entries, each linked to the one before, up to the head.
    </p>
  );
}

export function Verify() {
  const [kept, setKept] = useState<Kept | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const [busy, setBusy] = useState(false);
  const verify = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const server = await read<Verification>('verify');
      const head = server.head ?? (await read<Head>('head'));
      const browser = canHash() ? await checkExport((await read<{ lines: string }>('export')).lines, head) : undefined;
      setKept({ server, browser, at: new Date() });
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  };
  const save = async () => {
    try {
      download(`renyi-ledger-${shown.value?.ledger.slice(0, 8) ?? 'log'}.jsonl`, (await read<{ lines: string }>('export')).lines, 'application/jsonl');
    } catch (error) {
      setFailure(error);
    }
  };
  const head = kept?.server.head ?? shown.value;
  return (
    <section class="card" aria-labelledby="verify-title">
      <h2 id="verify-title">The chain</h2>
      <p>
        Every entry has the SHA-256 of the one before, so that nothing in between can be changed unnoticed. A head that is kept elsewhere also shows
        whether something was cut off at the end.
      </p>
      {head && (
        <p class="head">
          Head: entry <b>{head.entry}</b>, <code>{head.hash}</code> <CopyButton text={textOf(head)} label="Copy the head" />
        </p>
      )}
      <div class="buttons start">
        <button type="button" class="main" onClick={verify} disabled={busy}>
          {busy ? 'Verifying …' : 'Verify the whole log'}
        </button>
        <button type="button" onClick={save}>
          Export the log
        </button>
      </div>
      <div aria-live="polite">
        {kept && (
          <>
            <ServerSays server={kept.server} />
            <BrowserSays browser={kept.browser} />
          </>
        )}
      </div>
      <Wrong text={new Faults(failure).beside()} />
    </section>
  );
}
