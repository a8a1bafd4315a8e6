// Where in the view a person is, kept in the address, so that links and the browser's buttons work:
// #budgets, #budgets/scopes/clinic/oncology, #budgets/history, #budgets/receipts, #budgets/admin.
import { signal } from '@preact/signals';
import { chosen } from './store';

export const pages = ['scopes', 'history', 'receipts', 'admin'] as const;
export type Page = (typeof pages)[number];

export const page = signal<Page>('scopes');

export const linkTo = (to: Page, scope = ''): string =>
  to === 'scopes' && !scope ? '#budgets' : `#budgets/${to}${scope ? `/${scope.split('/').map(encodeURIComponent).join('/')}` : ''}`;

function take(): void {
  const [view = '', name = '', ...rest] = location.hash.slice(1).split('/');
  if (view !== 'budgets') return;
  page.value = pages.find((one) => one === name) ?? 'scopes';
  if (page.value !== 'scopes' || rest.length === 0) return;
  try {
    chosen.value = rest.map(decodeURIComponent).join('/');
  } catch {
    // An address that somebody has cut off names no scope.
  }
}

/** Follows the address while the view is shown. */
export function followPlace(): () => void {
  take();
  addEventListener('hashchange', take);
  return () => removeEventListener('hashchange', take);
}

/** Shows a scope; the address follows without an entry in the browser's history for every step with the arrow keys. */
export function choose(scope: string): void {
  chosen.value = scope;
  history.replaceState(null, '', linkTo('scopes', scope));
}
