// Tokens: who has one, making one, which is shown once, replacing and revoking.
import { useEffect, useState } from 'preact/hooks';
import type { Role, Session, Token } from './answers';
import { ask } from './client';
import { CopyButton, Dialog, Entry, Faults, Pick, Time, Wrong } from './parts';
import { shown } from './store';

const lifetimes: [string, string][] = [
  ['86400', 'one day'],
  ['604800', 'one week'],
  ['7776000', '90 days'],
  ['31536000', 'one year'],
  ['', 'until it is revoked'],
];

function NewToken({ made }: { made: (token: Token) => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('analyst');
  const [scopes, setScopes] = useState('');
  const [lifetime, setLifetime] = useState('7776000');
  const [failure, setFailure] = useState<unknown>(undefined);
  const [busy, setBusy] = useState(false);
  const faults = new Faults(failure);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const own = role === 'analyst' ? { scopes: scopes.split(/[\s,;]+/).filter(Boolean) } : {};
      const body = { name: name.trim(), role, ...own, ...(lifetime ? { expires_in: Number(lifetime) } : {}) };
      made((await ask<Token>('v1/tokens', { body })).value);
      setName('');
      setScopes('');
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  };
  return (
    <form onSubmit={submit} aria-label="New token">
      <div class="grid">
        <Entry label="Name" value={name} set={setName} help="Who it is for: the log has this name" error={faults.at('name')} />
        <Pick
          label="Role"
          value={role}
          options={[
            ['analyst', 'analyst: asks and charges in its scopes'],
            ['auditor', 'auditor: reads and verifies everything'],
            ['admin', 'administrator: everything'],
          ]}
          set={(next) => setRole(next as Role)}
          error={faults.at('role')}
        />
        {role === 'analyst' && (
          <Entry label="Scopes" value={scopes} set={setScopes} list={shown.value?.scopes.map(({ scope }) => scope)} help="These, and those within them; several are parted by commas" error={faults.at('scopes')} />
        )}
        <Pick label="Valid for" value={lifetime} options={lifetimes} set={setLifetime} error={faults.at('expires_in')} />
      </div>
      <Wrong text={faults.beside('name', 'role', 'scopes', 'expires_in')} />
      <button type="submit" class="main" disabled={busy}>
        {busy ? 'Making …' : 'Make a token'}
      </button>
    </form>
  );
}

function Made({ token, close }: { token: Token; close: () => void }) {
  return (
    <Dialog title={`The token of ${token.name}`} close={() => undefined} stays>
      <p>It is shown now, and never again: only its digest is kept. Give it to {token.name} by a way that others cannot read.</p>
      <p class="secret">
        <code>{token.token}</code>
      </p>
      <div class="buttons">
        <CopyButton text={token.token ?? ''} label="Copy" />
        <button type="button" class="main" onClick={close}>
          I have kept it
        </button>
      </div>
    </Dialog>
  );
}

function Revoke({ token, done, close }: { token: Token; done: () => void; close: () => void }) {
  const [failure, setFailure] = useState<unknown>(undefined);
  const [busy, setBusy] = useState(false);
  const revoke = async () => {
    if (busy) return;
    setBusy(true);
    try {
      await ask(`v1/tokens/${encodeURIComponent(token.id)}`, { method: 'DELETE' });
      done();
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  };
  return (
    <Dialog title={`Revoke the token of ${token.name}?`} close={close}>
      <p>Sessions and programs that use it are refused from now on. What was done with it stays in the log.</p>
      <Wrong text={new Faults(failure).beside()} />
      <div class="buttons">
        <button type="button" onClick={close}>
          Keep it
        </button>
        <button type="button" class="danger" onClick={revoke} disabled={busy}>
          Revoke it
        </button>
      </div>
    </Dialog>
  );
}

const endings: [string, string][] = [
  ['0', 'at once'],
  ['3600', 'in an hour'],
  ['86400', 'in a day'],
];

/** A token of the same name, role, scopes and lineage, which repeats the calls of the one before. */
function Replace({ token, made, close }: { token: Token; made: (token: Token) => void; close: () => void }) {
  const [lifetime, setLifetime] = useState('7776000');
  const [ending, setEnding] = useState('0');
  const [failure, setFailure] = useState<unknown>(undefined);
  const [busy, setBusy] = useState(false);
  const replace = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const body = { keep_for: Number(ending), ...(lifetime ? { expires_in: Number(lifetime) } : {}) };
      made((await ask<Token>(`v1/tokens/${encodeURIComponent(token.id)}/rotate`, { body })).value);
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  };
  return (
    <Dialog title={`Replace the token of ${token.name}?`} close={close}>
      <p>The new one has the same name, role and scopes, and programs that use it can repeat the calls that began with the old one.</p>
      <div class="grid">
        <Pick label="The old one ends" value={ending} options={endings} set={setEnding} />
        <Pick label="The new one is valid for" value={lifetime} options={lifetimes} set={setLifetime} />
      </div>
      <Wrong text={new Faults(failure).beside()} />
      <div class="buttons">
        <button type="button" onClick={close}>
          Keep it
        </button>
        <button type="button" class="main" onClick={replace} disabled={busy}>
          Replace it
        </button>
      </div>
    </Dialog>
  );
}

const stateOf = (token: Token): string => (token.revoked ? 'revoked' : token.expires && Date.parse(token.expires) < Date.now() ? 'expired' : 'valid');

export function Tokens({ session }: { session: Session }) {
  const [tokens, setTokens] = useState<Token[] | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const [made, setMade] = useState<Token | undefined>(undefined);
  const [asked, setAsked] = useState<Token | undefined>(undefined);
  const [replaced, setReplaced] = useState<Token | undefined>(undefined);
  const load = () =>
    ask<{ tokens: Token[] }>('v1/tokens', { method: 'GET' }).then(({ value }) => {
      setTokens(value.tokens);
      setFailure(undefined);
    }, setFailure);
  useEffect(() => void load(), []);
  const order = { valid: 0, expired: 1, revoked: 2 } as Record<string, number>;
  const sorted = [...(tokens ?? [])].sort((a, b) => (order[stateOf(a)] ?? 0) - (order[stateOf(b)] ?? 0) || (a.name < b.name ? -1 : 1));
  return (
    <section class="card" aria-labelledby="tokens-title">
      <h2 id="tokens-title">Tokens</h2>
      <NewToken
        made={(token) => {
          setMade(token);
          void load();
        }}
      />
      <Wrong text={new Faults(failure).beside()} />
      {sorted.length > 0 && (
        <table class="cards tokens">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Role</th>
              <th scope="col">Scopes</th>
              <th scope="col">Made</th>
              <th scope="col">Until</th>
              <th scope="col">State</th>
              <th scope="col">
                <span class="off-screen">Action</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((token) => (
              <tr key={token.id} class={stateOf(token) === 'valid' ? undefined : 'ended'}>
                <th scope="row" data-label="Name">
                  {token.name}
                </th>
                <td data-label="Role">{token.role}</td>
                <td data-label="Scopes">{token.scopes?.join(', ') || 'all'}</td>
                <td data-label="Made">
                  <Time of={token.created} />
                </td>
                <td data-label="Until">{token.expires ? <Time of={token.expires} /> : 'it is revoked'}</td>
                <td data-label="State">{stateOf(token)}</td>
                <td data-label="">
                  {stateOf(token) === 'valid' && (
                    <>
                      <button type="button" class="quiet" onClick={() => setReplaced(token)} aria-label={`Replace the token of ${token.name}`}>
                        Replace …
                      </button>
                      <button type="button" class="quiet" onClick={() => setAsked(token)} aria-label={`Revoke the token of ${token.name}`}>
                        {token.name === session.name ? 'Revoke (yours) …' : 'Revoke …'}
                      </button>
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {made && <Made token={made} close={() => setMade(undefined)} />}
      {replaced && (
        <Replace
          token={replaced}
          close={() => setReplaced(undefined)}
          made={(token) => {
            setReplaced(undefined);
            setMade(token);
            void load();
          }}
        />
      )}
      {asked && (
        <Revoke
          token={asked}
          close={() => setAsked(undefined)}
          done={() => {
            setAsked(undefined);
            void load();
          }}
        />
      )}
    </section>
  );
}
