// Keeps the address and the state the same: a link is read when the page opens, and follows every change.
import { effect } from '@preact/signals';
import { read, write } from '../share/fragment';
import { baseline, configuration, notice, pinned, target } from '../whatif/state';
import { open, view } from './frame';

const fragmentNow = () => location.hash.slice(1);
/** The last fragment that the page wrote itself, which need not be read again. */
let written = '';

const isOfBudgets = (fragment: string) => fragment === 'budgets' || fragment.startsWith('budgets/');

function take(): void {
  const fragment = fragmentNow();
  if (isOfBudgets(fragment)) {
    void open('budgets');
    return;
  }
  const before = view.value;
  void open('what-if');
  if (fragment === written) return;
  // "#" is the link of the view itself: coming back from another view keeps the state.
  if (fragment === '' && before !== 'what-if') {
    history.replaceState(null, '', `#${written}`);
    return;
  }
  const state = read(fragment);
  if ('fault' in state) {
    notice.value = { text: `The link could not be read (${state.fault}), so this is the first example.`, tone: 'bad' };
    return;
  }
  configuration.value = state.configuration;
  pinned.value = state.pinned;
  target.value = state.target;
  baseline.value = state.baseline;
}

export function followLink(): void {
  take();
  addEventListener('hashchange', take);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let first = true;
  effect(() => {
    const fragment = write({
      configuration: configuration.value,
      pinned: pinned.value,
      target: target.value,
      baseline: baseline.value,
    });
    if (first) {
      // The first state needs no fragment, and a link that was opened has its own.
      first = false;
      written = fragmentNow();
      return;
    }
    clearTimeout(timer);
    // Browsers limit how often an address may change, so that a moving slider is written once it rests.
    timer = setTimeout(() => {
      // The address changes before the view does: a link to the other view that was just clicked stays.
      if (view.peek() !== 'what-if' || isOfBudgets(fragmentNow())) return;
      written = fragment;
      history.replaceState(null, '', `#${fragment}`);
    }, 200);
  });
}
