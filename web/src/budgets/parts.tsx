// Small parts of the view: times, fields with their errors, dialogs, and bars of budgets.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { copyText } from '../share/download';
import { Failure, inWords } from './client';

const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const precise = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A time in the words of the reader's language, with UTC where the pointer rests. */
export function Time({ of, seconds = false }: { of: string; seconds?: boolean }) {
  const date = new Date(of);
  if (Number.isNaN(date.getTime())) return <span>{of}</span>;
  return (
    <time dateTime={of} title={`${of.replace('T', ' ').replace('Z', '')} UTC`}>
      {(seconds ? precise : whole).format(date)}
    </time>
  );
}

/** How long until then: "2 h 5 min", "40 s". */
export function untilText(milliseconds: number): string {
  if (milliseconds <= 0) return 'expired';
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return minutes < 10 ? `${minutes} min ${seconds % 60} s` : `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days`;
}

/** Counts down by the second while it is near; tells once when the time has come. */
export function Countdown({ to, done }: { to: string; done: () => void }) {
  const [now, setNow] = useState(Date.now());
  const left = Date.parse(to) - now;
  const told = useRef(false);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), left < 600_000 ? 1000 : 20_000);
    return () => clearInterval(timer);
  }, [left < 600_000]);
  useEffect(() => {
    if (left > 0 || told.current) return;
    told.current = true;
    done();
  }, [left]);
  return (
    <span class={left < 60_000 ? 'soon' : undefined} title={`${to.replace('T', ' ').replace('Z', '')} UTC`}>
      {untilText(left)}
    </span>
  );
}

interface EntryProps {
  label: string;
  value: string;
  set: (text: string) => void;
  help?: string;
  error?: string;
  type?: string;
  list?: string[];
  placeholder?: string;
  decimal?: boolean;
  disabled?: boolean;
  autofocus?: boolean;
}

/** A field of text with its label, its help and its error. */
export function Entry({ label, value, set, help, error, type = 'text', list, placeholder, decimal, disabled, autofocus }: EntryProps) {
  const id = useId();
  const element = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (autofocus) element.current?.focus();
  }, []);
  const described = [help ? `${id}-help` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div class={error ? 'field wrong' : 'field'}>
      <label for={id}>{label}</label>
      <input
        id={id}
        ref={element}
        type={type}
        inputMode={decimal ? 'decimal' : undefined}
        autocomplete="off"
        spellcheck={false}
        value={value}
        placeholder={placeholder}
        disabled={disabled}
        autofocus={autofocus}
        list={list ? `${id}-list` : undefined}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={described || undefined}
        onInput={(event) => set(event.currentTarget.value)}
      />
      {list && (
        <datalist id={`${id}-list`}>
          {list.map((one) => (
            <option value={one} />
          ))}
        </datalist>
      )}
      {help && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      <Wrong id={`${id}-error`} text={error} />
    </div>
  );
}

interface PickProps {
  label: string;
  value: string;
  options: [value: string, words: string][];
  set: (value: string) => void;
  help?: string;
  error?: string;
}

export function Pick({ label, value, options, set, help, error }: PickProps) {
  const id = useId();
  return (
    <div class={error ? 'field wrong' : 'field'}>
      <label for={id}>{label}</label>
      <select id={id} value={value} aria-invalid={error ? 'true' : undefined} onChange={(event) => set(event.currentTarget.value)}>
        {options.map(([name, words]) => (
          <option value={name}>{words}</option>
        ))}
      </select>
      {help && <p class="help">{help}</p>}
      <Wrong text={error} />
    </div>
  );
}

export function Check({ label, value, set, help }: { label: string; value: boolean; set: (value: boolean) => void; help?: string }) {
  const id = useId();
  return (
    <div class="field ticked">
      <label for={id}>
        <input id={id} type="checkbox" checked={value} onChange={(event) => set(event.currentTarget.checked)} /> {label}
      </label>
      {help && <p class="help">{help}</p>}
    </div>
  );
}

export function Wrong({ text, id }: { text?: string; id?: string }) {
  if (!text) return null;
  return (
    <p class="error" id={id} role="alert">
      {text}
    </p>
  );
}

/** Shares the errors of a request out to the fields that they name; the rest belongs to the form. */
export class Faults {
  constructor(private readonly failure?: unknown) {}

  private get path(): string {
    return this.failure instanceof Failure && this.failure.status >= 400 && this.failure.status < 500 ? this.failure.error.path : '';
  }

  /** The message for a field whose path is, or begins with, one of these. */
  at(...paths: string[]): string | undefined {
    const own = this.path;
    const hit = paths.some((path) => own === path || own.startsWith(`${path}.`) || own.startsWith(`${path}[`));
    return hit && this.failure instanceof Failure ? this.failure.error.message : undefined;
  }

  /** The message for the form, unless one of the fields has it. */
  beside(...paths: string[]): string | undefined {
    if (this.failure === undefined) return undefined;
    // That the session has ended is said by the dialog which asks for the token.
    if (this.failure instanceof Failure && this.failure.status === 401) return undefined;
    return this.at(...paths) ? undefined : inWords(this.failure);
  }
}

interface DialogProps {
  title: string;
  close: () => void;
  children: ComponentChildren;
  class?: string;
  /** A dialog that cannot be left, as that of a session which has ended. */
  stays?: boolean;
}

/** A modal dialog: the browser keeps the focus in it, and gives it back. */
export function Dialog({ title, close, children, class: extra, stays = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement as HTMLElement | null;
    if (dialog && !dialog.open) dialog.showModal();
    return () => {
      dialog?.close();
      if (before?.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={`budgets-dialog ${extra ?? ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!stays) close();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [said, say] = useState('');
  return (
    <button type="button" onClick={async () => say((await copyText(text)) ? 'Copied' : 'Select it and copy')} aria-live="polite">
      {said || label}
    </button>
  );
}

/** A hash, short for the eye; the whole one can be read where the pointer rests, and copied. */
export function Hash({ of }: { of: string }) {
  return (
    <code class="hash" title={of}>
      {of.slice(0, 12)}…
    </code>
  );
}

/** The name of a scope, which may be broken after its slashes. */
export function ScopeName({ of }: { of: string }) {
  return (
    <>
      {of.split('/').map((part, index) => (
        <>
          {index > 0 && '/'}
          {index > 0 && <wbr />}
          {part}
        </>
      ))}
    </>
  );
}
