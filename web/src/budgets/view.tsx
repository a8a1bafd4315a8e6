// The view "Budgets": a ledger that people share by a server. Static files have none, and say so.
import { useEffect, useState } from 'preact/hooks';
import './style/base.css';
import './style/where.css';
import './style/scopes.css';
import './style/tables.css';
import './style/dialogs.css';
import './style/narrow.css';
import './style/receipt.css';
import type { Session } from './answers';
import { inWords } from './client';
import { Details } from './details';
import { History } from './history';
import { Login, LoginAgain, NoServer } from './login';
import { Time, Wrong } from './parts';
import { followPlace, linkTo, page, type Page } from './place';
import { Receipts } from './receipts';
import { mayAdminister, wordsOf } from './roles';
import { ScopeTree } from './scope_tree';
import { ChangeBudget, NewScope } from './scope_forms';
import { detect, hasEnded, logout, person, presence, session } from './session';
import { fault, forget, isReading, readAt, refresh, scope, shown } from './store';
import { forgetQuestion } from './still_ask';
import { Tokens } from './tokens';

function Who({ session: { name, role, scopes, expires } }: { session: Session }) {
  const [wrong, setWrong] = useState('');
  const leave = async () => {
    try {
      await logout();
      forget();
    } catch (failure) {
      setWrong(inWords(failure));
    }
  };
  return (
    <div class="who">
      <p>
        <b>{name}</b> <span class="tag">{wordsOf[role]}</span>
        {role === 'analyst' && <span class="scopes"> {scopes.join(', ')}</span>}
        {expires && (
          <span class="help">
            {' '}
            until <Time of={expires} />
          </span>
        )}
      </p>
      <button type="button" class="quiet" onClick={leave}>
        Log out
      </button>
      <Wrong text={wrong} />
    </div>
  );
}

const titles: Record<Page, string> = { scopes: 'Scopes', history: 'History', receipts: 'Receipts', admin: 'Admin' };

function Pages({ session: { role } }: { session: Session }) {
  const offered: Page[] = mayAdminister(role) ? ['scopes', 'history', 'receipts', 'admin'] : ['scopes', 'history', 'receipts'];
  return (
    <nav class="pages" aria-label="Budgets">
      {offered.map((one) => (
        <a href={linkTo(one)} aria-current={page.value === one ? 'page' : undefined}>
          {titles[one]}
        </a>
      ))}
      <span class="as-of">
        {readAt.value && <span class="help">as of {readAt.value.toLocaleTimeString()}</span>}
        <button type="button" class="quiet" onClick={() => void refresh()} disabled={isReading.value}>
          {isReading.value ? 'Reading …' : 'Refresh'}
        </button>
      </span>
    </nav>
  );
}

function Empty({ session: { role } }: { session: Session }) {
  return (
    <section class="card narrow">
      <h2>No scope yet</h2>
      {mayAdminister(role) ? (
        <p>
          A scope is a name with a budget, such as that of a dataset. <a href={linkTo('admin')}>Add the first one.</a>
        </p>
      ) : (
        <p>An administrator has to add one that you may see.</p>
      )}
    </section>
  );
}

const detailsId = 'scope-details';

function Content({ session: now }: { session: Session }) {
  const answer = shown.value;
  const chosen = scope.value;
  if (!answer) return fault.value ? null : <p class="help">Reading the ledger …</p>;
  if (page.value === 'admin' && mayAdminister(now.role)) {
    return (
      <div class="admin">
        <div class="admin-columns">
          <NewScope />
          <ChangeBudget />
        </div>
        <Tokens session={now} />
      </div>
    );
  }
  if (answer.scopes.length === 0) return <Empty session={now} />;
  if (page.value === 'history') return <History session={now} />;
  if (page.value === 'receipts') return <Receipts />;
  return (
    <div class="split">
      <section class="card tree-card" aria-labelledby="scopes-title">
        <h2 id="scopes-title">Scopes</h2>
        <p class="key-of-bars" aria-hidden="true">
          <span class="spent" /> spent <span class="reserved" /> reserved <span class="left" /> left
        </p>
        <ScopeTree details={detailsId} />
        {!answer.witness && (
          <p class="help" title={answer.note}>
            This ledger has no witness: nothing here notices an older copy in its place.
          </p>
        )}
      </section>
      {chosen && <Details key={chosen.scope} scope={chosen} session={now} id={detailsId} />}
    </div>
  );
}

function Workspace({ session: now }: { session: Session }) {
  useEffect(() => {
    // Nothing of the person before is shown while this one's is read.
    forget();
    forgetQuestion();
    void refresh();
    // The form that had the keyboard is gone.
    if (document.activeElement === document.body) document.getElementById('main')?.focus();
    const back = () => document.visibilityState === 'visible' && void refresh();
    document.addEventListener('visibilitychange', back);
    return () => document.removeEventListener('visibilitychange', back);
  }, []);
  const leave = () => {
    hasEnded.value = false;
    session.value = undefined;
    forget();
  };
  return (
    <>
      {now.demo && (
        <p class="banner" role="note">
          <b>Demonstration:</b> this ledger has invented scopes, people and charges. Nothing in it protects anybody.
        </p>
      )}
      <Who session={now} />
      <Pages session={now} />
      <Wrong text={fault.value} />
      <Content session={now} />
      {hasEnded.value && <LoginAgain name={now.name} leave={leave} />}
    </>
  );
}

/** The session that has ended is renewed by a login, after which everything is read again. */
function useRenewal(): void {
  const ended = hasEnded.value;
  const [before, setBefore] = useState(ended);
  useEffect(() => {
    if (before && !ended && session.value) void refresh();
    setBefore(ended);
  }, [ended]);
}

export function Budgets() {
  useEffect(() => followPlace(), []);
  useEffect(() => void detect(), []);
  useRenewal();
  const now = session.value;
  const found = presence.value;
  return (
    <div class="budgets">
      {now ? (
        <Workspace key={person.value} session={now} />
      ) : found === 'unknown' ? (
        <p class="help">Looking for a server …</p>
      ) : found === 'server' ? (
        <Login />
      ) : (
        <NoServer unreachable={found === 'unreachable'} again={() => void detect()} />
      )}
    </div>
  );
}
