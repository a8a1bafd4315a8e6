// The view "Budgets" against a real `renyi serve`: one server and one browser for all tests of this file.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { client, front, native, start } from './budgets_server.mjs';
import { command, launch } from './site.mjs';

let server;
let site;
let hosting;
let browser;
let admin;
const tokens = {};
const faults = [];
const gaussian = (noise_multiplier) => [{ mechanism: 'gaussian', noise_multiplier }];
const document = '{"visits":1731}';

before(async () => {
  server = await start();
  [site, hosting, browser] = await Promise.all([front(server.url, server.headers), front(undefined), launch()]);
  admin = client(server.url, server.token);
  tokens.admin = server.token;
  await admin.ledger('scope', { scope: 'hospital', budget: { kind: 'zcdp', rho: 0.5 }, cap: { kind: 'zcdp', rho: 1 }, unit: 3 });
  await admin.ledger('scope', { scope: 'hospital/visits', budget: { kind: 'zcdp', rho: 0.4 } });
  await admin.ledger('scope', { scope: 'hospital/visits/oncology', budget: { kind: 'gdp', mu: 0.5 } });
  await admin.ledger('scope', { scope: 'hospital/billing', budget: { kind: 'zcdp', rho: 0.1 }, block_rule: { rule: 'the month', unit_in_one_block: true }, blocks: ['2026-10', '2026-11'] });
  await admin.ledger('scope', { scope: 'census', budget: { kind: 'shares', epsilon: 4, delta: 1e-6, orders: [8, 16, 32] } });
  tokens.ana = (await admin.token({ name: 'ana', role: 'analyst', scopes: ['hospital/visits'], expires_in: 3600 })).token;
  tokens.vera = (await admin.token({ name: 'vera', role: 'auditor' })).token;
  const ana = client(server.url, tokens.ana);
  await ana.ledger('charge', { scope: 'hospital/visits', steps: gaussian(40), comment: 'visits by month, "all" wards' });
  await admin.ledger('lower', { scope: 'hospital', budget: { kind: 'zcdp', rho: 0.45 } });
  await admin.ledger('raise', { scope: 'hospital', budget: { kind: 'zcdp', rho: 0.6 }, reason: 'the board' });
  await ana.ledger('charge', { scope: 'hospital/visits', steps: gaussian(1), comment: 'too much' });
  const ticket = await ana.ledger('reserve', { scope: 'hospital/visits', steps: gaussian(50), expires_in: 3600, comment: 'bulletin' });
  await ana.ledger('open', { ticket: ticket.ticket, secret: ticket.secret });
  await ana.ledger('commit', { ticket: ticket.ticket, output: document, comment: 'bulletin 1' });
});

after(async () => {
  await browser?.close();
  site?.close();
  hosting?.close();
  await server?.stop();
  assert.deepEqual(faults, []);
});

const defaults = { viewport: { width: 1440, height: 900 }, acceptDownloads: true, locale: 'en-GB' };

/** A page in a context of its own, or in one that is already logged in. */
async function open(fragment = '', { at = site.url, context = undefined } = {}) {
  const page = await (context ?? (await browser.newContext(defaults))).newPage();
  page.on('pageerror', (failure) => faults.push(String(failure)));
  // The policy of the server allows no styles and scripts but its own; what breaks it is reported here.
  page.on('console', (message) => /Content Security Policy|Refused to/.test(message.text()) && faults.push(message.text()));
  await page.goto(`${at}/#budgets${fragment}`);
  return page;
}

async function enter(page, token) {
  await page.getByLabel('Token', { exact: true }).fill(token);
  await page.getByRole('button', { name: 'Log in' }).click();
}

const contexts = new Map();

/** A page of the view, logged in; the same person keeps the session over several tests. */
async function as(who, fragment = '') {
  const isNew = !contexts.has(who);
  if (isNew) contexts.set(who, await browser.newContext(defaults));
  const page = await open(fragment, { context: contexts.get(who) });
  if (isNew) await enter(page, tokens[who]);
  await page.locator('.pages').waitFor();
  return page;
}

const entries = async () => (await admin.ledger('head')).entry;
const item = (page, name) => page.getByRole('treeitem', { name: new RegExp(`^${name}, `) });
const verdict = (page) => page.locator('.answer-side[aria-busy=false] .verdict');

test('static hosting says calmly that a server is needed', async () => {
  const page = await open('', { at: hosting.url });
  await page.getByRole('heading', { name: 'Budgets need a server' }).waitFor();
  assert.match(await page.locator('.command').textContent(), /renyi serve/);
  assert.equal(await page.getByRole('alert').count(), 0);
  await page.close();
});

test('a token logs in, is kept nowhere, and logging out ends the session', async () => {
  const page = await open();
  const field = page.getByLabel('Token', { exact: true });
  assert.equal(await field.getAttribute('type'), 'password');
  assert.equal(await field.getAttribute('autocomplete'), 'off');
  await enter(page, `renyi_${'x'.repeat(43)}`);
  await page.locator('.field.wrong').getByText('No token of this server').waitFor();
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  await enter(page, tokens.ana);
  await page.locator('.who').getByText('ana', { exact: true }).waitFor();
  assert.match(await page.locator('.who').textContent(), /analyst.*hospital\/visits.*until/);
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.documentElement.outerHTML]));
  assert.ok(!kept.includes(tokens.ana));
  // The cookie, which scripts cannot read, keeps the session over a reload.
  await page.reload();
  await page.getByRole('tree').waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await field.waitFor();
  await page.reload();
  await field.waitFor();
  await page.close();
});

test('a ledger of examples says that it is one, and another does not', async () => {
  const real = await as('vera');
  await real.getByRole('tree').waitFor();
  assert.equal(await real.locator('.banner').count(), 0);
  await real.close();
  const demo = await start(['--demo']);
  const shown = await front(demo.url, demo.headers);
  const page = await open('', { at: shown.url });
  await enter(page, demo.token);
  await page.getByRole('note').getByText('invented scopes, people and charges').waitFor();
  await page.context().close();
  shown.close();
  await demo.stop();
});

test('the tree is walked by the keyboard', async () => {
  const page = await as('admin');
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  await item(page, 'census').focus();
  const walk = async (key, wanted) => {
    await page.keyboard.press(key);
    assert.match(await focused(), new RegExp(`^${wanted},`), key);
  };
  await walk('ArrowDown', 'hospital');
  await walk('ArrowRight', 'billing');
  await walk('ArrowDown', 'visits');
  await walk('ArrowRight', 'oncology');
  await walk('Home', 'census');
  await walk('End', 'oncology');
  await walk('ArrowLeft', 'visits');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await item(page, 'visits').getAttribute('aria-expanded'), 'false');
  assert.equal(await item(page, 'oncology').count(), 0);
  await walk('h', 'hospital');
  assert.equal(await item(page, 'hospital').getAttribute('aria-selected'), 'true');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'hospital');
  assert.match(page.url(), /#budgets\/scopes\/hospital$/);
  await page.close();
});

test('a scope states its balances and what it guarantees, as the ledger does', async () => {
  const page = await as('admin', '/scopes/hospital');
  const [scope] = (await admin.ledger('show', { scope: 'hospital', delta: 1e-6 })).scopes;
  const sentence = page.locator('.guarantee .sentence');
  await sentence.getByText('differentially private').waitFor();
  const shown = Number(/ε ([\d.]+)/.exec(await sentence.textContent())[1]);
  const epsilon = scope.guarantee.renyi.epsilon;
  assert.ok(shown >= epsilon && shown < epsilon * 1.001, `${shown} for ${epsilon}`);
  assert.match(await sentence.textContent(), /up to 3 records of one person.*cap \(rho 1\)/);
  const cells = await page.locator('.balances tbody tr').first().locator('td').allTextContents();
  assert.equal(cells[0], '0.6');
  assert.ok(Number(cells[1]) >= scope.balances[0].spent && Number(cells[3]) <= scope.balances[0].left);
  await page.getByLabel('at delta').fill('2');
  await page.locator('.guarantee .error').getByText('delta').waitFor();
  await page.close();
});

test('the burn-down has the points of the ledger, as a chart, a table and pictures', async () => {
  const page = await as('admin', '/scopes/hospital');
  const [{ burn_down: points }] = (await admin.ledger('show', { scope: 'hospital', burn_down: 'entry' })).scopes;
  const chart = page.locator('.burn-down [role=img]');
  await chart.locator('canvas').waitFor();
  assert.match(await chart.getAttribute('aria-label'), /rho rose from 0 to .* of 0\.6 in 2 charges\. The budget changed 2 times\./);
  await page.locator('.burn-down summary').click();
  const rows = await page.locator('.burn-down tbody tr').allTextContents();
  assert.equal(rows.length, points.length);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Burn-down as SVG' }).click()]);
  assert.match(await readFile(await download.path(), 'utf8'), /^<svg .*<title>hospital: rho spent/);
  const [picture] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Burn-down as PNG' }).click()]);
  assert.equal((await readFile(await picture.path())).subarray(1, 4).toString(), 'PNG');
  await page.close();
});

test('what still fits is what the native program says', async () => {
  const page = await as('vera', '/scopes/hospital/visits');
  const ledger = join(server.data, 'server.ledger');
  const recorded = await entries();
  for (const noise of ['10', '3.7']) {
    await page.getByLabel('Noise multiplier').fill(noise);
    const many = native(ledger, { verb: 'may-run', scope: 'hospital/visits', steps: gaussian(Number(noise)), count: 1e15 }).fitting_count;
    await verdict(page).getByText(many === 1 ? 'One such step fits in all' : `${many} such steps fit in all`).waitFor();
    const dry = (count) => spawnSync(command, ['ledger', 'charge', ledger, 'hospital/visits', '--noise-multiplier', noise, '--steps', String(count), '--dry-run']).status;
    assert.deepEqual([dry(many), dry(many + 1)], [0, 1], noise);
  }
  await page.getByLabel('Noise multiplier').fill('0.5');
  await verdict(page).getByText('Does not fit').waitFor();
  const refusal = native(ledger, { verb: 'may-run', scope: 'hospital/visits', steps: gaussian(0.5) });
  assert.ok((await verdict(page).textContent()).includes(refusal.reason));
  await page.getByRole('button', { name: 'Use it' }).click();
  await verdict(page).getByText('✓ Fits').waitFor();
  assert.equal(await page.getByLabel('Noise multiplier').inputValue(), String(refusal.fitting_step.value));
  await page.getByLabel('Noise multiplier').fill('-1');
  await page.locator('.still-ask .field.wrong .error').getByText('noise_multiplier').waitFor();
  // Auditors read; nothing that was asked is recorded.
  assert.equal(await page.getByRole('button', { name: 'Charge it' }).count(), 0);
  assert.equal(await entries(), recorded);
  await page.close();
});

test('any mechanism of the catalogue can be asked about, and blocks be chosen', async () => {
  const page = await as('admin', '/scopes/hospital/billing');
  await page.getByLabel('Mechanism').locator('option[value="discrete-laplace"]').waitFor({ state: 'attached' });
  assert.ok((await page.getByLabel('Mechanism').locator('option').count()) > 25);
  await page.getByLabel('Mechanism').selectOption('discrete-laplace');
  await page.getByLabel('Scale').fill('30');
  await page.getByLabel('Sampling').selectOption('poisson');
  await page.getByLabel('Rate').fill('0.5');
  await page.getByLabel('2026-11').check();
  const asked = page.waitForRequest((request) => request.url().endsWith('/may-run') && /2026-11/.test(request.postData() ?? ''));
  const { steps, blocks } = JSON.parse((await asked).postData());
  assert.deepEqual(blocks, ['2026-11']);
  assert.deepEqual(steps, [{ mechanism: 'discrete-laplace', scale: 30, sensitivity: 1, sampling: { scheme: 'poisson', rate: 0.5 } }]);
  await verdict(page).getByText('✓ Fits').waitFor();
  await page.close();
});

test('a double click charges once, and a lost answer is asked for again without a second charge', async () => {
  const page = await as('ana', '/scopes/hospital/visits');
  await page.getByLabel('Noise multiplier').fill('60');
  await verdict(page).getByText('✓ Fits').waitFor();
  let before = await entries();
  await page.getByRole('button', { name: 'Charge it …' }).click();
  const dialog = page.getByRole('dialog');
  assert.match(await dialog.textContent(), /hospital\/visits.*Costs.*Leaves at least/);
  await dialog.getByLabel('Comment').fill('ages');
  await dialog.getByRole('button', { name: 'Charge it' }).dblclick();
  await dialog.getByRole('heading', { name: 'Charged' }).waitFor();
  assert.equal(await entries(), before + 1);
  await dialog.getByRole('button', { name: 'Close' }).click();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Charge it …');

  before = await entries();
  await verdict(page).getByText('✓ Fits').waitFor();
  const keys = [];
  await page.route('**/v1/ledger/charge', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await page.getByRole('button', { name: 'Charge it …' }).click();
  await dialog.getByRole('button', { name: 'Charge it' }).click();
  await dialog.getByText('Whether it was charged is not known').waitFor();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('it was charged once').waitFor();
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
  assert.equal(await entries(), before + 1);
  await page.close();
});

test('a reservation is shown with what it holds, and given back', async () => {
  const ana = client(server.url, tokens.ana);
  const { ticket } = await ana.ledger('reserve', { scope: 'hospital/visits/oncology', steps: gaussian(20), expires_in: 1800, comment: 'stents' });
  const auditor = await as('vera', '/scopes/hospital');
  const seen = auditor.getByRole('row', { name: new RegExp(`^${ticket} `) });
  await seen.waitFor();
  assert.match(await seen.textContent(), /ana.*hospital\/visits\/oncology.*stents.*rho 0\.01126.*(29|30) min/);
  assert.equal(await seen.getByRole('button').count(), 0);
  await auditor.close();

  const page = await as('ana', '/scopes/hospital/visits');
  await page.getByRole('button', { name: `Cancel ticket ${ticket}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  assert.equal((await ana.ledger('ticket', { ticket })).state, 'reserved');
  await page.getByRole('button', { name: `Cancel ticket ${ticket}` }).click();
  await dialog.getByRole('button', { name: 'Cancel the ticket' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('None in hospital/visits').waitFor();
  assert.equal((await ana.ledger('ticket', { ticket })).state, 'cancelled');
  await page.close();
});

test('the history is checked by this browser, and a changed entry is found', async () => {
  const page = await as('vera', '/history');
  const last = await entries();
  await page.getByText(`${last + 1} entries have the SHA-256 that is stated, ${last} links to the entry before agree.`).waitFor();
  const refused = page.locator('tr.refused').first();
  assert.match(await refused.textContent(), /too much.*hospital\/visits.*ana.*✗ refused.*hospital\/visits: rho would be/);
  await page.getByLabel('Person').fill('ana');
  await page.waitForFunction(() => [...document.querySelectorAll('.history td[data-label=Who]')].every((cell) => cell.textContent === 'ana'));
  await page.getByText('entries in between are not shown').waitFor();
  await page.getByLabel('Person').fill('nobody');
  await page.getByText('No entry matches').waitFor();
  await page.getByLabel('Person').fill('');

  await page.getByRole('button', { name: 'Verify the whole log' }).click();
  await page.getByText('✓ Valid:').waitFor();
  await page.getByText(`the SHA-256 of all ${last + 1} entries`).waitFor();
  assert.ok((await page.locator('.head').textContent()).includes((await admin.ledger('head')).hash));
  // Somebody in between who changes one word is noticed.
  await page.route('**/v1/ledger/history', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace('too much', 'too little') });
  });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('alert').getByText('its text does not have the hash that is stated for it').waitFor();
  await page.close();
});

test('a receipt has the document, its digest and its cost', async () => {
  const page = await as('vera', '/receipts');
  await page.getByRole('button', { name: /Receipt of ticket/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This browser computed the same SHA-256').waitFor();
  const text = await dialog.textContent();
  assert.match(text, /hospital\/visits: rho 0\.0018.*hospital: rho 0\.0018/);
  assert.match(text, /gaussian, noise_multiplier 50/);
  assert.match(text, /by ana, “bulletin 1”/);
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download the document' }).click()]);
  assert.equal(await readFile(await download.path(), 'utf8'), document);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await dialog.getByRole('button', { name: 'Print' }).isVisible(), false);
  await page.close();
});

test('every role is offered what it may do', async () => {
  const ana = await as('ana');
  await ana.getByRole('tree').waitFor();
  assert.deepEqual(await ana.getByRole('treeitem').evaluateAll((items) => items.map((one) => one.getAttribute('aria-label').split(',')[0])), ['hospital/visits', 'oncology']);
  assert.equal(await ana.getByRole('link', { name: 'Admin', exact: true }).count(), 0);
  await ana.getByRole('link', { name: 'History' }).click();
  await ana.locator('.history tbody tr').first().waitFor();
  const scopes = await ana.locator('.history td[data-label=Scope]').allTextContents();
  assert.ok(scopes.every((scope) => scope.startsWith('hospital/visits')));
  assert.equal(await ana.getByRole('button', { name: 'Verify the whole log' }).count(), 0);
  // An address that is typed is no way in.
  await ana.goto(`${site.url}/#budgets/admin`);
  assert.equal(await ana.getByRole('heading', { name: 'Tokens' }).count(), 0);
  await ana.close();
});

test('administrators add scopes, change budgets and give tokens; errors stand at their fields', async () => {
  const page = await as('admin');
  await page.getByRole('link', { name: 'Admin', exact: true }).click();
  const scopes = page.locator('section', { has: page.getByRole('heading', { name: 'Add a scope' }) });
  await scopes.getByLabel('Name').fill('nowhere/survey');
  await scopes.getByLabel('rho', { exact: true }).fill('0.2');
  await scopes.getByRole('button', { name: 'Add the scope' }).click();
  await scopes.locator('.field.wrong', { has: page.getByLabel('Name') }).getByText('a scope whose parent exists').waitFor();
  await scopes.getByLabel('Name').fill('survey');
  await scopes.getByRole('button', { name: 'Add the scope' }).click();
  await scopes.getByRole('status').getByText('survey was made').waitFor();

  const change = page.locator('section', { has: page.getByRole('heading', { name: 'Change a budget' }) });
  await change.locator('option[value=survey]').waitFor({ state: 'attached' });
  await change.getByLabel('Scope').selectOption('survey');
  await change.getByLabel('rho', { exact: true }).fill('0.1');
  await change.getByRole('button', { name: 'Lower' }).click();
  await change.getByRole('status').getByText('lowered').waitFor();
  await change.getByLabel('rho', { exact: true }).fill('5');
  await change.getByLabel('Reason for raising').fill('more is needed');
  await change.getByRole('button', { name: 'Raise' }).click();
  await change.locator('.field.wrong').getByText('up to the cap').waitFor();
  await change.getByLabel('rho', { exact: true }).fill('0.15');
  await change.getByRole('button', { name: 'Raise' }).click();
  await change.getByRole('status').getByText('raised').waitFor();
  const [survey] = (await admin.ledger('show', { scope: 'survey' })).scopes;
  assert.equal(survey.budget.rho, 0.15);

  const form = page.getByRole('form', { name: 'New token' });
  await form.getByLabel('Name').fill('two words');
  await form.getByLabel('Scopes').fill('survey');
  await form.getByRole('button', { name: 'Make a token' }).click();
  await form.locator('.field.wrong', { has: page.getByLabel('Name') }).getByText('two words').waitFor();
  await form.getByLabel('Name').fill('emil');
  await form.getByRole('button', { name: 'Make a token' }).click();
  const dialog = page.getByRole('dialog');
  tokens.emil = await dialog.locator('.secret').textContent();
  assert.match(tokens.emil, /^renyi_[\w-]{43}$/);
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  assert.ok(!(await page.content()).includes(tokens.emil));
  const emil = await as('emil');
  await item(emil, 'survey').waitFor();
  await emil.close();
  await page.getByRole('button', { name: 'Replace the token of emil' }).click();
  await dialog.getByRole('button', { name: 'Replace it' }).click();
  await dialog.locator('.secret').waitFor();
  const old = tokens.emil;
  tokens.emil = await dialog.locator('.secret').textContent();
  assert.notEqual(tokens.emil, old);
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  const again = await open(); // the session of the old one has ended
  await enter(again, tokens.emil);
  await item(again, 'survey').waitFor();
  await again.close();
  await page.getByRole('row', { name: /emil.*revoked/ }).waitFor(); // the old one
  await page.getByRole('button', { name: 'Revoke the token of emil' }).click();
  await dialog.getByRole('button', { name: 'Revoke it' }).click();
  await page.getByRole('row', { name: /emil.*revoked/ }).nth(1).waitFor();
  const late = await open();
  await enter(late, tokens.emil);
  await late.getByText('No token of this server').waitFor();
  await late.close();
  await page.close();
});

test('a session that ends asks for the token again, and what was typed stays', async () => {
  const made = await admin.token({ name: 'dora', role: 'analyst', scopes: ['hospital/visits'] });
  tokens.dora = made.token;
  const page = await as('dora', '/scopes/hospital/visits');
  await page.getByLabel('Noise multiplier').fill('33.5');
  await verdict(page).getByText('✓ Fits').waitFor();
  await page.getByRole('button', { name: 'Charge it …' }).click();
  await page.getByLabel('Comment').fill('half written');
  const before = await entries();
  await admin.ask('DELETE', `tokens/${made.id}`);
  await page.getByRole('button', { name: 'Charge it', exact: true }).click();
  const again = page.getByRole('dialog', { name: 'The session has ended' });
  await again.waitFor();
  tokens.dora = (await admin.token({ name: 'dora', role: 'analyst', scopes: ['hospital/visits'] })).token;
  await again.getByLabel('Token', { exact: true }).fill(tokens.dora);
  await again.getByRole('button', { name: 'Log in' }).click();
  await again.waitFor({ state: 'detached' });
  assert.equal(await page.getByLabel('Comment').inputValue(), 'half written');
  await page.getByRole('button', { name: 'Charge it', exact: true }).click();
  await page.getByRole('heading', { name: 'Charged' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  assert.equal(await page.getByLabel('Noise multiplier').inputValue(), '33.5');
  // One token was revoked and one made, and one charge.
  assert.equal(await entries(), before + 3);
  await page.close();
});

test('refusals of the server are shown where they belong', async () => {
  const page = await as('ana', '/scopes/hospital/visits');
  await verdict(page).waitFor();
  const answer = (status, kind, message, headers = {}) => (route) =>
    route.fulfill({ status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify({ error: { kind, message, path: '' } }) });
  const asking = page.locator('.answer-side');
  for (const [status, kind, wanted] of [
    [403, 'forbidden', 'Not allowed: why'],
    [409, 'conflict', 'In conflict with an earlier request: why'],
    [422, 'unsupported', 'why'],
    [429, 'too_many_requests', 'Too many requests. Try again in 30 s.'],
    [503, 'unavailable', 'The server cannot answer now (why). Try again in 30 s.'],
  ]) {
    await page.route('**/v1/ledger/may-run', answer(status, kind, 'why', { 'retry-after': '30' }));
    await page.getByLabel('Noise multiplier').fill(String(status));
    await asking.getByRole('alert').getByText(wanted, { exact: true }).waitFor();
    await page.unroute('**/v1/ledger/may-run');
  }
  await page.getByLabel('Noise multiplier').fill('70');
  await verdict(page).getByText('✓ Fits').waitFor();
  await page.close();
});

test('on a phone nothing but tables scrolls sideways, and every control has a name', async () => {
  const page = await as('admin', '/scopes/hospital/billing');
  await page.setViewportSize({ width: 390, height: 844 });
  const check = async (what) => {
    const { wide, nameless } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      nameless: [...document.querySelectorAll('input, select, textarea, button, a[href]')]
        .filter((one) => !one.closest('[aria-hidden]') && !one.hasAttribute('aria-hidden'))
        .filter((one) => !(one.labels?.length || one.getAttribute('aria-label') || one.textContent.trim()))
        .map((one) => one.outerHTML),
    }));
    assert.ok(wide <= 390, `${what}: ${wide}`);
    assert.deepEqual(nameless, [], what);
  };
  await verdict(page).waitFor();
  await page.locator('.burn-down canvas').waitFor();
  await check('scopes');
  await page.getByRole('button', { name: 'Charge it …' }).click();
  const box = await page.getByRole('dialog').boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 390);
  await page.keyboard.press('Escape');
  for (const [place, ready] of [
    ['scopes/census', '.burn-down canvas'],
    ['history', '.history tbody tr'],
    ['receipts', '.cards tbody tr'],
    ['admin', '.tokens tbody tr'],
  ]) {
    await page.goto(`${site.url}/#budgets/${place}`);
    await page.locator(ready).first().waitFor();
    await check(place);
  }
  await page.close();
});
