// Logging in by a token, which is sent once and kept nowhere in the browser.
import { useState } from 'preact/hooks';
import { Dialog, Entry, Wrong } from './parts';
import { login } from './session';

function LoginForm({ done }: { done?: () => void }) {
  const [token, setToken] = useState('');
  const [error, setError] = useState<string | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy) return;
    if (!token.trim()) return setError('Enter the token that you were given.');
    setBusy(true);
    const wrong = await login(token.trim());
    setBusy(false);
    setError(wrong);
    if (wrong === undefined) {
      setToken('');
      done?.();
    }
  };
  const isForm = token.trim() === '' || /^renyi_[\w-]{43}$/.test(token.trim());
  return (
    <form onSubmit={submit} class="login" autocomplete="off">
      <Entry
        label="Token"
        type="password"
        value={token}
        set={(text) => {
          setToken(text);
          setError(undefined);
        }}
        error={error}
        help={isForm ? 'It begins with renyi_ and is not stored in this browser.' : 'A token is renyi_ and 43 letters, digits, - or _.'}
        autofocus
      />
      <button type="submit" class="main" disabled={busy}>
        {busy ? 'Logging in …' : 'Log in'}
      </button>
    </form>
  );
}

export function Login() {
  return (
    <section class="card narrow" aria-labelledby="login-title">
      <h2 id="login-title">Log in</h2>
      <p>
        Budgets are kept by this server. An administrator makes tokens here, or by <code>renyi token new</code>; the first one was printed when
        the server first started.
      </p>
      <LoginForm />
      <dl class="roles">
        <div>
          <dt>Analysts</dt>
          <dd>see their scopes, ask what still fits, and charge it.</dd>
        </div>
        <div>
          <dt>Auditors</dt>
          <dd>see everything and verify the log.</dd>
        </div>
        <div>
          <dt>Administrators</dt>
          <dd>also make scopes, change budgets and give tokens.</dd>
        </div>
      </dl>
    </section>
  );
}

/** Over the view, which keeps what was typed. */
export function LoginAgain({ name, leave }: { name: string; leave: () => void }) {
  return (
    <Dialog title="The session has ended" close={() => undefined} stays>
      <p>
        Log in as <b>{name}</b> to go on where you were; what you have typed is still there.
      </p>
      <LoginForm />
      <p>
        <button type="button" class="quiet" onClick={leave}>
          Leave, and forget what is shown
        </button>
      </p>
    </Dialog>
  );
}

/** Where the page is hosted as static files, and where the server cannot be reached. */
export function NoServer({ unreachable, again }: { unreachable: boolean; again: () => void }) {
  return (
    <section class="card narrow" aria-labelledby="no-server-title">
      <h2 id="no-server-title">{unreachable ? 'The server does not answer' : 'Budgets need a server'}</h2>
      {unreachable ? (
        <Wrong text="This page came from a server that cannot be reached now." />
      ) : (
        <p>
          These are static files, and everything in "What if" works with them. Budgets of datasets and teams are kept in a ledger, which a server
          shares among people. It is one command, and brings this page along:
        </p>
      )}
      <pre class="command">
        <code>renyi serve</code>
      </pre>
      <p>
        It listens on <code>http://127.0.0.1:8080</code> and prints the first token. <code>renyi serve --demo</code> shows a ledger with examples.
        The guide <code>docs/guide/server.md</code> says how to serve others, and <code>docs/guide/ledger.md</code> what a ledger is.
      </p>
      <button type="button" onClick={again}>
        Look again
      </button>
    </section>
  );
}
