import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { moduleOf } from './modules.mjs';

const { checkChain, checkExport, objectTexts, withoutHash } = await moduleOf('budgets/chain.ts');
const { howManyFit, beyond } = await moduleOf('budgets/fit.ts');
const { treeOf, visible, moveBy } = await moduleOf('budgets/tree.ts');
const { findReleases, reservedIn } = await moduleOf('budgets/tickets.ts');
const { pending, refresh } = await moduleOf('budgets/store.ts');
const { decisive, leavesAfter, shareOf, stepsText, whatOf } = await moduleOf('budgets/words.ts');
const { budgetOf, textsOf } = await moduleOf('budgets/budget_fields.tsx');
const { burnDownOf, summaryOf, svgOf } = await moduleOf('budgets/burn_down.ts');
const { isWithin, maySpend } = await moduleOf('budgets/roles.ts');

const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** A log of entries with these comments, as `history` and as `export` give it. */
function logOf(comments) {
  const lines = [];
  let previous = '';
  for (const [entry, comment] of comments.entries()) {
    // Numbers and texts are as the ledger writes them, which JSON.stringify would not always do.
    const text = `{"entry":${entry},"previous":"${previous}","time":"2026-11-18T08:00:00.000Z","request":{"verb":"charge","comment":${JSON.stringify(comment)},"steps":[{"mechanism":"laplace","scale":1e+20}]},"outcome":{"accepted":true}}`;
    lines.push(text);
    previous = sha256(text);
  }
  const entries = lines.map((text) => `${text.slice(0, -1)},"hash":"${sha256(text)}"}`);
  return { lines, answer: `{"entries":[${entries.join(',')}]}` };
}

const linkedOf = (answer) => {
  const parsed = JSON.parse(answer).entries;
  return objectTexts(answer, 'entries').map((text, index) => ({ ...parsed[index], text: withoutHash(text) }));
};

const odd = ['plain', 'a "quoted" }], \\ ü', '{"entries":[', ',"hash":"00"}'];

test('the texts of entries are found in an answer, whatever their comments are', async () => {
  const { lines, answer } = logOf(odd);
  assert.deepEqual(objectTexts(answer, 'entries').map(withoutHash), lines);
  assert.deepEqual(await checkChain(linkedOf(answer)), { hashed: 4, linked: 3 });
});

test('a changed entry, a changed link and a gap are told apart', async () => {
  const entries = linkedOf(logOf(odd).answer);
  assert.deepEqual(await checkChain([entries[0], entries[2], entries[3]]), { hashed: 3, linked: 1 });
  const changed = entries.map((entry, index) => (index === 1 ? { ...entry, text: entry.text.replace('ü', 'u') } : entry));
  assert.equal((await checkChain(changed)).wrong.entry, 1);
  // Whoever changes an entry together with its hash is found by the next one.
  const forged = entries.map((entry, index) => (index === 1 ? { ...changed[1], hash: sha256(changed[1].text) } : entry));
  assert.match((await checkChain(forged)).wrong.why, /hash of the entry before/);
});

test('an export is checked from its first line up to the head', async () => {
  const { lines } = logOf(odd);
  const head = { entry: 3, hash: sha256(lines[3]) };
  assert.deepEqual(await checkExport(`${lines.join('\n')}\n`, head), { hashed: 4, linked: 3 });
  assert.match((await checkExport(`${lines.slice(0, 3).join('\n')}\n`, head)).wrong.why, /ends before the head/);
  assert.match((await checkExport([lines[0], lines[2]].join('\n'), head)).wrong.why, /has the number 2/);
  const last = lines[3].replace('laplace', 'gaussian');
  assert.match((await checkExport([...lines.slice(0, 3), last].join('\n'), head)).wrong.why, /not that of the head/);
});

test('how many fit takes one question where the refusal says it, and few where it does not', async () => {
  const ledger = (most, tells) => async (count) => (count <= most ? { accepted: true } : { accepted: false, ...(tells ? { fitting_count: most } : {}) });
  assert.deepEqual(await howManyFit(ledger(14, true)), { count: 14, questions: 1 });
  assert.deepEqual(await howManyFit(ledger(Infinity, true)), { count: beyond, questions: 1 });
  for (const most of [0, 1, 2, 7, 8, 9, 14, 63, 64, 1000, 123456]) {
    const { count, questions } = await howManyFit(ledger(most, false));
    assert.equal(count, most);
    assert.ok(questions <= 30, `${most}: ${questions}`);
  }
});

const scopeOf = (scope, more = {}) => ({
  scope,
  budget: { kind: 'zcdp', rho: 1 },
  balances: [{ name: 'rho', spent: 0.4, limit: 1, left: 0.6 }],
  analysts_may_collude: true,
  reserved: 0,
  ...more,
});

test('scopes make a tree, with what is seen as roots', () => {
  const roots = treeOf(['b/x/y', 'a', 'a/c', 'a-b', 'b/x'].map((name) => scopeOf(name)));
  assert.deepEqual(roots.map(({ name, children }) => [name, children.map((child) => child.name)]), [
    ['a', ['c']],
    ['a-b', []],
    ['b/x', ['y']],
  ]);
  assert.deepEqual(visible(roots, new Set(['a'])).map(({ name }) => name), ['a', 'a-b', 'b/x', 'y']);
  const rows = visible(roots, new Set());
  assert.deepEqual(moveBy('ArrowLeft', rows[1], rows, new Set()), { focus: 'a' });
  assert.deepEqual(moveBy('ArrowRight', rows[0], rows, new Set(['a'])), { open: 'a' });
  assert.equal(moveBy('Tab', rows[0], rows, new Set()), undefined);
});

/** A server whose log has `length` entries, of which `at` are the releases, or the pending reservations; asked is what it was asked. */
function serverOf(length, of, at) {
  const asked = [];
  const entryOf = (entry) => ({
    entry,
    previous: 'p',
    time: '2026-11-18T08:00:00.000Z',
    request: at.includes(entry)
      ? { verb: of === 'pending' ? 'reserve' : 'commit', person: 'ana', scope: 'a', ticket: entry - 1, output_sha256: 'd', steps: [{ mechanism: 'laplace', scale: 1 }] }
      : { verb: 'charge', scope: 'a' },
    outcome: { accepted: true, expires: 'e' },
    hash: 'h',
  });
  const history = ({ after = -1, before = length, most, last, of: wanted }) => {
    const numbers = wanted === undefined ? Array.from({ length }, (_, entry) => entry) : wanted === of ? at : [];
    const found = numbers.filter((entry) => entry > after && entry < before);
    return { entries: (last === undefined ? found.slice(0, most) : found.slice(-last)).map(entryOf) };
  };
  const answers = {
    show: () => ({ ledger: 'l', entry: length - 1, hash: 'h', scopes: [scopeOf('a', { reserved: of === 'pending' ? at.length : 0 })] }),
    history,
    'may-run': () => ({ accepted: true, left: [{ scope: 'a', balances: [], costs: [0.5] }] }),
  };
  globalThis.document = { baseURI: 'http://page/' };
  globalThis.fetch = async (url, { body }) => {
    const verb = url.split('/').at(-1);
    asked.push([verb, JSON.parse(body ?? '{}')]);
    const text = JSON.stringify(answers[verb](asked.at(-1)[1]));
    return { ok: true, status: 200, headers: new Headers({ 'content-type': 'application/json' }), text: async () => text };
  };
  return asked;
}

test('one old reservation is found by one question, however long the log is', async () => {
  const asked = serverOf(20_000, 'pending', [3]);
  await refresh();
  assert.deepEqual(pending.value.map(({ ticket, person, costs }) => [ticket, person, costs?.[0].costs]), [[3, 'ana', [0.5]]]);
  assert.deepEqual(asked.map(([verb]) => verb), ['show', 'history', 'may-run']);
  await refresh(); // what the steps cost is known
  assert.equal(asked.length, 5);
});

test('releases are read back page by page', async () => {
  const asked = serverOf(20_000, 'releases', [5, 6, 7000, 19_000]);
  const newest = await findReleases(3);
  assert.deepEqual(newest.releases.map(({ ticket, entry, outputSha256 }) => [ticket, entry, outputSha256]), [[18_999, 19_000, 'd'], [6999, 7000, 'd'], [5, 6, 'd']]);
  const older = await findReleases(3, newest.next);
  assert.deepEqual([older.releases.map(({ entry }) => entry), older.next, asked.length], [[5], undefined, 2]);
});

test('what is reserved is summed where charges add up, and unknown elsewhere', () => {
  const pending = [0.1, 0.2].map((cost, ticket) => ({ ticket, scope: 'a/b', costs: [{ scope: 'a', costs: [cost] }] }));
  assert.ok(Math.abs(reservedIn(scopeOf('a', { reserved: 2 }), 0, pending) - 0.3) < 1e-12);
  const squares = reservedIn(scopeOf('a', { reserved: 2, budget: { kind: 'gdp', mu: 1 } }), 0, pending);
  assert.ok(Math.abs(squares - Math.hypot(0.1, 0.2)) < 1e-12);
  assert.equal(reservedIn(scopeOf('a', { reserved: 2, analysts_may_collude: false }), 0, pending), undefined);
  assert.equal(reservedIn(scopeOf('a', { reserved: 3 }), 0, pending), undefined);
});

test('the balance that decides, its share, and what a charge leaves', () => {
  const balances = [
    { name: 'order 8', spent: 0.9, limit: 1, left: 0.1 },
    { name: 'order 16', spent: 0.2, limit: 1, left: 0.8 },
    { name: 'order 2', spent: 0, limit: -1, left: 0 },
  ];
  assert.equal(decisive({ budget: { kind: 'shares' }, balances }), 1);
  assert.equal(decisive({ budget: { kind: 'curve' }, balances: balances.slice(0, 2) }), 0);
  assert.equal(shareOf(0.5, { limit: 1 }, { kind: 'gdp' }), 0.25);
  assert.equal(leavesAfter({ left: 0.5 }, 0.3, { kind: 'gdp' }), 0.4);
  assert.equal(leavesAfter({ left: 0.5 }, 0.25, { kind: 'zcdp' }), 0.25);
  assert.equal(leavesAfter({ left: 0.5 }, 0.25, { kind: 'approx' }), undefined);
  assert.equal(stepsText([{ mechanism: 'laplace', scale: 2, sampling: { scheme: 'poisson', rate: 0.1 } }], 3), '3 × laplace, scale 2, sampling poisson rate 0.1');
});

test('budgets are typed and read back', () => {
  for (const budget of [
    { kind: 'zcdp', rho: 0.5 },
    { kind: 'approx', epsilon: 1, delta: 1e-6 },
    { kind: 'curve', limits: [{ order: 8, epsilon: 0.1 }, { order: 'inf', epsilon: 2 }] },
    { kind: 'shares', epsilon: 1, delta: 1e-6, orders: [8, 16] },
  ]) {
    assert.deepEqual(budgetOf(budget.kind, textsOf(budget)), budget);
  }
  assert.equal(budgetOf('zcdp', {}), undefined);
  assert.deepEqual(budgetOf('zcdp', { rho: 'much' }), { kind: 'zcdp', rho: 'much' });
});

test('a burn-down is drawn up to now, with the changes of the budget', () => {
  const point = (time, spent, limit) => ({ time, entry: 1, charges: 1, balances: [{ name: 'rho', spent, limit, left: limit - spent }] });
  const burn = burnDownOf('a<b', [point('2026-11-01T00:00:00Z', 0, 1), point('2026-11-02T00:00:00Z', 0.2, 1), point('2026-11-03T00:00:00Z', 0.2, 0.5)], 0, Date.parse('2026-11-04T00:00:00Z') / 1000);
  assert.equal(burn.times.length, 4);
  assert.deepEqual(burn.spent, [0, 0.2, 0.2, 0.2]);
  assert.deepEqual(burn.changes.map(({ from, to }) => [from, to]), [[1, 0.5]]);
  assert.match(summaryOf(burn), /rose from 0 to 0\.2 of 0\.5 in 1 charge\. The budget changed once/);
  assert.match(svgOf(burn), /^<svg .*<title>a&lt;b: rho spent<\/title>.*<circle/);
});

test('an analyst spends within its scopes only', () => {
  assert.ok(isWithin('a/b', 'a') && isWithin('a', 'a') && !isWithin('ab', 'a'));
  const analyst = { role: 'analyst', scopes: ['a/b'] };
  assert.deepEqual(['a', 'a/b', 'a/b/c', 'a/bc'].map((scope) => maySpend(analyst, scope)), [false, true, true, false]);
  assert.ok(maySpend({ role: 'admin', scopes: [] }, 'a') && !maySpend({ role: 'auditor', scopes: [] }, 'a'));
});

test('an entry about a token says whose it is', () => {
  const token = { id: '0123456789ab', holder: 'ana', role: 'analyst', scopes: ['clinic', 'census'] };
  const entry = (event) => ({ request: { verb: 'token', event, token } });
  assert.equal(whatOf(entry('made')), 'made 0123456789ab for ana, analyst of clinic and census');
  assert.equal(whatOf({ request: { verb: 'token', event: 'revoked', token: { id: 'ab', holder: 'bob' } } }), 'revoked ab for bob');
});
