// One number: a label, a field in which any number may be typed, a slider, a button that solves for it, and its error.
import { typed } from '../app/numbers';
import { fault } from './state';
import { movedTo, placeOf, positions, type Range } from './slider';
import { solve, solving, type Unknown } from './solve';

interface FieldProps {
  field: string;
  label: string;
  help?: string;
  value: string;
  range?: Range;
  set: (text: string) => void;
  /** The place in the request; without one the number is not solved for. */
  path?: string;
  /** Whether it is a text and no number. */
  words?: boolean;
}

export function Field({ field, label, help, value, range, set, path, words }: FieldProps) {
  const id = `field-${field.replace(/[^\w-]/g, '-')}`;
  const wrong = fault.value?.field === field ? fault.value.message : undefined;
  const number = typed(value);
  const unknown: Unknown | undefined = path === undefined ? undefined : { field, label: label.toLowerCase(), path, set };
  const described = [help ? `${id}-help` : '', wrong ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div class={wrong ? 'field wrong' : 'field'} data-field={field}>
      <label for={id}>{label}</label>
      <div class="entry">
        <input
          id={id}
          type="text"
          inputMode={words ? 'text' : 'decimal'}
          autocomplete="off"
          spellcheck={false}
          value={value}
          aria-invalid={wrong ? 'true' : undefined}
          aria-describedby={described || undefined}
          onInput={(event) => set(event.currentTarget.value)}
        />
        {unknown && (
          <button
            type="button"
            class="solve"
            disabled={solving.value !== undefined}
            title={`Set ${label.toLowerCase()} so that the target epsilon is met`}
            aria-label={`Solve for ${label.toLowerCase()}`}
            onClick={() => void solve(unknown)}
          >
            {solving.value === field ? '…' : 'solve'}
          </button>
        )}
      </div>
      {range && (
        <input
          type="range"
          min={0}
          max={positions}
          step={1}
          value={number === undefined ? 0 : placeOf(number, range)}
          aria-label={`${label}, slider`}
          aria-valuetext={value}
          onInput={(event) => set(movedTo(Number(event.currentTarget.value), number, range))}
        />
      )}
      {help && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {wrong && (
        <p class="error" id={`${id}-error`} role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}
