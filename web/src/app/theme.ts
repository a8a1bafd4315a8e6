// Light or dark: as the system says, unless the person has chosen. The choice is kept in this browser only.
import { computed, effect, signal } from '@preact/signals';

export type Choice = 'system' | 'light' | 'dark';
const place = 'renyi-theme';

function stored(): Choice {
  try {
    const value = localStorage.getItem(place);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system';
  }
}

export const choice = signal<Choice>(stored());
const dark = matchMedia('(prefers-color-scheme: dark)');
const system = signal(dark.matches);
dark.addEventListener('change', () => (system.value = dark.matches));

export const scheme = computed<'light' | 'dark'>(() =>
  choice.value === 'system' ? (system.value ? 'dark' : 'light') : choice.value,
);

effect(() => {
  document.documentElement.dataset.theme = scheme.value;
  try {
    if (choice.value === 'system') localStorage.removeItem(place);
    else localStorage.setItem(place, choice.value);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
});
