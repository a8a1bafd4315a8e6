// Checks of the log that the browser makes by itself: the hash of an entry is the SHA-256 of its characters, and every entry
// has the hash of the one before (docs/format/ledger.md).

export interface Linked {
  entry: number;
  previous: string;
  hash: string;
  /** The canonical text, character by character as the server sent it. */
  text: string;
}

export interface ChainResult {
  /** How many entries have the hash that is stated for them. */
  hashed: number;
  /** How many entries name the hash of the entry before, which was there to be compared. */
  linked: number;
  wrong?: { entry: number; why: string };
}

/** Whether the browser offers SHA-256 here: only at secure addresses. */
export const canHash = (): boolean => globalThis.crypto?.subtle !== undefined;

export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The texts of the objects of the list that is the member `name` of an answer. */
export function objectTexts(answer: string, name: string): string[] {
  const start = answer.indexOf(`"${name}":[`);
  if (start < 0) return [];
  const texts: string[] = [];
  let depth = 0;
  let begin = 0;
  let inText = false;
  for (let place = start + name.length + 4; place < answer.length; ++place) {
    const letter = answer[place];
    if (inText) {
      if (letter === '\\') ++place;
      else if (letter === '"') inText = false;
    } else if (letter === '"') {
      inText = true;
    } else if (letter === '{' || letter === '[') {
      if (depth++ === 0) begin = place;
    } else if (letter === '}' || letter === ']') {
      if (depth === 0) break;
      if (--depth === 0) texts.push(answer.slice(begin, place + 1));
    }
  }
  return texts;
}

/** An entry of `history` has its hash as a last member; what is before it is the text that was hashed. */
export const withoutHash = (text: string): string => text.replace(/,"hash":"[0-9a-f]*"}$/, '}');

/** Checks entries in ascending order. Entries that are not shown leave gaps, over which nothing can be said. */
export async function checkChain(entries: Linked[]): Promise<ChainResult> {
  const result: ChainResult = { hashed: 0, linked: 0 };
  let before: Linked | undefined;
  for (const entry of entries) {
    if ((await sha256(entry.text)) !== entry.hash) {
      return { ...result, wrong: { entry: entry.entry, why: 'its text does not have the hash that is stated for it' } };
    }
    ++result.hashed;
    if (before && before.entry + 1 === entry.entry) {
      if (entry.previous !== before.hash) {
        return { ...result, wrong: { entry: entry.entry, why: 'it does not name the hash of the entry before' } };
      }
      ++result.linked;
    }
    before = entry;
  }
  return result;
}

/** Checks the lines of an export from entry 0, up to the head that the server states. */
export async function checkExport(lines: string, head: { entry: number; hash: string }): Promise<ChainResult> {
  const texts = lines.split('\n').filter((line) => line !== '');
  const result: ChainResult = { hashed: 0, linked: 0 };
  const wrong = (entry: number, why: string): ChainResult => ({ ...result, wrong: { entry, why } });
  let previous = '';
  for (const [number, text] of texts.entries()) {
    const entry = JSON.parse(text) as { entry: number; previous: string };
    if (entry.entry !== number) return wrong(number, `the line has the number ${entry.entry}`);
    if (entry.previous !== previous) return wrong(number, 'it does not name the hash of the entry before');
    if (number > 0) ++result.linked;
    previous = await sha256(text);
    ++result.hashed;
    if (number === head.entry && previous !== head.hash) return wrong(number, 'its hash is not that of the head');
  }
  if (texts.length <= head.entry) return wrong(texts.length, `the log ends before the head, entry ${head.entry}`);
  return result;
}
