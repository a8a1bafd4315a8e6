// Entries of the log from the newest to the oldest. The server answers in ascending order after an entry; entries have numbers
// without gaps, so that a window of numbers that ends where the last one began reads the log backwards.
import type { Entry } from './answers';
import { objectTexts, withoutHash, type Linked } from './chain';
import { readReply } from './client';

export interface LogFilter {
  scope?: string;
  person?: string;
  since?: string;
  until?: string;
}

export interface LogEntry extends Linked {
  content: Entry;
}

export interface Backwards {
  /** From the newest to the oldest. */
  entries: LogEntry[];
  /** The newest number that was not looked at, -1 at the beginning of the log. */
  next: number;
}

async function window(filter: LogFilter, after: number, last: number): Promise<LogEntry[]> {
  const members = Object.fromEntries(Object.entries(filter).filter(([, value]) => value));
  const { value, text } = await readReply<{ entries: Entry[] }>('history', { ...members, after, most: last - after });
  const texts = objectTexts(text, 'entries');
  return value.entries
    .map((content, index) => ({
      entry: content.entry,
      previous: content.previous,
      hash: content.hash,
      text: withoutHash(texts[index] ?? ''),
      content,
    }))
    .filter(({ entry }) => entry <= last);
}

/** Reads back from entry `from` until `enough` says so. Where few entries match, windows grow. */
export async function readBack(
  filter: LogFilter,
  from: number,
  enough: (found: LogEntry[]) => boolean,
  smallest = 64,
): Promise<Backwards> {
  const found: LogEntry[] = [];
  let last = from;
  let size = smallest;
  while (last >= 0 && !enough(found)) {
    const after = Math.max(-1, last - size);
    const part = await window(filter, after, last);
    found.push(...part.reverse());
    last = after;
    if (part.length < size / 4) size = Math.min(8192, size * 4);
  }
  return { entries: found, next: last };
}
