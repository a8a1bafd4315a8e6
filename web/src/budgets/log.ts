// Entries of the log from the newest to the oldest, a page for each question.
import type { Entry } from './answers';
import { objectTexts, withoutHash, type Linked } from './chain';
import { readReply } from './client';

export interface LogFilter {
  scope?: string;
  person?: string;
  since?: string;
  until?: string;
  /** Reservations that are pending, or releases, instead of everything. */
  of?: 'pending' | 'releases';
}

export interface LogEntry extends Linked {
  content: Entry;
}

export interface Backwards {
  /** From the newest to the oldest. */
  entries: LogEntry[];
  /** The entry that the next page comes before; undefined where there is no more. */
  next?: number;
}

/** The last entries before one, or before the end. */
export async function readBack(filter: LogFilter, last: number, before?: number): Promise<Backwards> {
  const members = Object.fromEntries(Object.entries({ ...filter, before }).filter(([, value]) => value !== '' && value !== undefined));
  const { value, text } = await readReply<{ entries: Entry[] }>('history', { ...members, last });
  const texts = objectTexts(text, 'entries');
  const entries = value.entries.map((content, index) => ({
    entry: content.entry,
    previous: content.previous,
    hash: content.hash,
    text: withoutHash(texts[index] ?? ''),
    content,
  }));
  return { entries: entries.reverse(), ...(entries.length === last ? { next: entries.at(-1)?.entry } : {}) };
}
