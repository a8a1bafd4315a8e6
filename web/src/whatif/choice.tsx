// A choice among few: a list with its label and its error.
import { fault } from './state';

interface ChoiceProps {
  field: string;
  label: string;
  value: string;
  options: [value: string, words: string][];
  set: (value: string) => void;
}

export function Choice({ field, label, value, options, set }: ChoiceProps) {
  const id = `field-${field.replace(/[^\w-]/g, '-')}`;
  const wrong = fault.value?.field === field ? fault.value.message : undefined;
  return (
    <div class={wrong ? 'field wrong' : 'field'} data-field={field}>
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-invalid={wrong ? 'true' : undefined}
        aria-describedby={wrong ? `${id}-error` : undefined}
        onChange={(event) => set(event.currentTarget.value)}
      >
        {options.map(([name, words]) => (
          <option value={name}>{words}</option>
        ))}
      </select>
      {wrong && (
        <p class="error" id={`${id}-error`} role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}
