// Collects the requests of the project: those of transcripts and documents, of fixtures and of the fuzzer's corpus, questions
// about every plan among the fixtures, and a grid of training runs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

const files = (directory, ending) =>
  readdirSync(join(root, directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.path, entry.name))
    .sort();

const read = (file) => readFileSync(file, 'utf8');

/** Lines that are passed to the command: those of here-documents and files that are shown, and quoted ones. */
function inText(text) {
  const found = [];
  for (const line of text.split('\n')) {
    const shown = line.match(/^(?:> )?(\{.*"op":.*)$/);
    if (shown) found.push(shown[1]);
    else for (const quoted of line.matchAll(/'(\{[^']*"op":[^']*)'/g)) found.push(quoted[1].replace(/\\n$/, ''));
  }
  return found.filter((line) => !/^\{"(error|renyi|exact|rdp)"/.test(line));
}

const inLines = (text) => text.split('\n').filter((line) => line.trim() !== '');

/** Questions about a plan. */
function about(plan) {
  const { neighbors, unit, steps } = plan;
  const asked = { ...(neighbors && { neighbors }), ...(unit && { unit }), steps };
  return [
    { op: 'epsilon', ...asked, delta: 1e-5 },
    { op: 'delta', ...asked, epsilon: 1 },
    { op: 'rdp', ...asked, orders: [1.5, 2, 8, 64, 1e6, 'inf'] },
    { op: 'profile', ...asked },
    { op: 'tradeoff', ...asked },
    { op: 'explain', ...asked, delta: 1e-6, orders: [2, 16] },
    { op: 'loss', ...asked },
    { op: 'report', ...asked, delta: 1e-5 },
  ];
}

function runs() {
  const asked = [];
  for (const sampling_rate of [1e-6, 0.001, 0.01024, 0.25, 1]) {
    for (const noise_multiplier of [0.3, 0.6, 1.1, 5, 200]) {
      for (const count of [1, 293, 10000, 100000000]) {
        const steps = [{ mechanism: 'sampled-gaussian', sampling_rate, noise_multiplier, count }];
        asked.push({ op: 'epsilon', steps, delta: 1e-6 }, { op: 'rdp', steps, orders: [1.1, 32, 1e5, 1e9] });
      }
    }
  }
  return asked;
}

/** Every request once, as a line. */
export function collect() {
  const fixtures = files('tests/cli/fixtures', '.json').map((file) => JSON.parse(read(file)));
  const lines = [
    ...files('tests/cli', '.transcript').flatMap((file) => inText(read(file))),
    ...files('docs', '.md').flatMap((file) => inText(read(file))),
    ...files('tests/cli/fixtures', '.jsonl').flatMap((file) => inLines(read(file))),
    ...files('tests/fuzz/corpus/request', '').map((file) => read(file).trimEnd()),
    ...fixtures.filter((fixture) => Array.isArray(fixture.steps)).flatMap(about).map((request) => JSON.stringify(request)),
    ...runs().map((request) => JSON.stringify(request)),
    ...['mechanisms', 'certify', 'verify', 'ledger', 'nothing'].map((op) => JSON.stringify({ op })),
    '', '   ', 'nul', '[]', '"text"', '{"op":"epsilon","steps":[],"delta":1,"id":"δ = ½ 😀"}',
  ];
  return [...new Set(lines)].filter((line) => !line.includes('\n') && !line.includes('\r') && !line.includes('\u0000'));
}
