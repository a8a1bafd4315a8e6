// Where the keyboard goes after something appeared or went away.

/** Focuses the first element that matches, once it is there. */
export function moveFocus(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus());
}
