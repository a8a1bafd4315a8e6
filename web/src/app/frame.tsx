// The frame of the page: the name, the views, light or dark. A view other than the first is loaded when it is opened.
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { choice, scheme } from './theme';
import { WhatIf } from '../whatif/view';

export type View = 'what-if' | 'budgets';
export const view = signal<View>('what-if');

const budgets = signal<ComponentType | undefined>(undefined);

export async function open(next: View): Promise<void> {
  view.value = next;
  if (next === 'budgets' && !budgets.value) budgets.value = (await import('../budgets/view')).Budgets;
}

function Tab({ of, fragment, label }: { of: View; fragment: string; label: string }) {
  return (
    <a href={fragment} aria-current={view.value === of ? 'page' : undefined}>
      {label}
    </a>
  );
}

export function Frame() {
  const Budgets = budgets.value;
  const other = scheme.value === 'dark' ? 'light' : 'dark';
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), document.getElementById('main')?.focus())}>
        Skip to the content
      </a>
      <header class="top">
        <p class="name">
          <img src="./icon.svg" alt="" width="26" height="26" /> renyi
        </p>
        <nav aria-label="Views">
          <Tab of="what-if" fragment="#" label="What if" />
          <Tab of="budgets" fragment="#budgets" label="Budgets" />
        </nav>
        <button type="button" class="quiet theme" onClick={() => (choice.value = other)} aria-label={`Switch to ${other} colours`}>
          {other}
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        <h1 class="off-screen">{view.value === 'what-if' ? 'What does it cost in privacy?' : 'Budgets'}</h1>
        {view.value === 'what-if' ? <WhatIf /> : Budgets ? <Budgets /> : <p class="loading">Loading …</p>}
      </main>
      <footer class="bottom">
        <p>{view.value === 'what-if' ? 'Computed in this browser: what you enter stays here.' : 'What you enter in this view goes to the server of this page.'} Every epsilon is an upper bound, rounded up.</p>
      </footer>
    </>
  );
}
