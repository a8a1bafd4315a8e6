// Links that earlier versions of the page made keep their meaning: those of tests/compat, each with what it decodes to.
// RENYI_WRITE_LINKS=FILE writes the meanings beside the links of a new version's folder, once (tests/compat/make.py).
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { moduleOf } from './modules.mjs';

const { read, write } = await moduleOf('share/fragment.ts');
const folder = new URL('../../../tests/compat/', import.meta.url);
const versions = readdirSync(folder).filter((name) => /^\d+\.\d+\.\d+$/.test(name));

const linesOf = (file) => readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));

if (process.env.RENYI_WRITE_LINKS) {
  const lines = linesOf(process.env.RENYI_WRITE_LINKS).map((link) => JSON.stringify({ ...link, shared: read(link.fragment) }));
  writeFileSync(process.env.RENYI_WRITE_LINKS, `${lines.join('\n')}\n`);
}

test('there are links to read', () => assert.ok(versions.length > 0));

for (const version of versions) {
  for (const { fragment, shared } of linesOf(new URL(`${version}/links/links.jsonl`, folder))) {
    test(`a link of ${version} means what it meant: ${fragment.slice(0, 30)}`, () => {
      assert.ok(shared.configuration, 'its meaning is not written down');
      assert.deepEqual(read(fragment), shared);
      // What the page writes of this state says the same.
      assert.deepEqual(read(write(shared)), shared);
    });

    // A key that the page does not know is left out of account, so that a link to the first example stays one.
    if (isDeepStrictEqual(shared, read(''))) continue;
    test(`another letter in a link of ${version} is noticed: ${fragment.slice(0, 30)}`, () => {
      for (let at = 0; at < fragment.length; at += Math.ceil(fragment.length / 20)) {
        const other = fragment[at] === 'A' ? 'B' : 'A';
        const changed = fragment.slice(0, at) + other + fragment.slice(at + 1);
        assert.notDeepEqual(read(changed), shared, `${at}: ${changed}`);
      }
    });
  }
}
