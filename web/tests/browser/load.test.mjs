import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { gzipSync } from 'node:zlib';
import { answer, drawn, folder, site } from './site.mjs';

let it;
before(async () => void (it = await site()));
after(() => it.close());

const files = (place) =>
  readdirSync(place).flatMap((name) => (statSync(join(place, name)).isDirectory() ? files(join(place, name)) : [join(place, name)]));

test('the page is below 1.5 MB when it is compressed', () => {
  const bytes = files(folder).reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0);
  console.log(`compressed: ${(bytes / 1e6).toFixed(2)} MB`);
  assert.ok(bytes < 1.5e6, `${bytes} bytes`);
});

test('the first answer comes soon on a cold cache', async () => {
  const times = [];
  for (let run = 0; run < 3; ++run) {
    const page = await it.open();
    await answer(page);
    times.push(await page.evaluate(() => performance.now()));
    await page.close();
  }
  console.log(`first answer after ${times.map((time) => Math.round(time)).join(', ')} ms`);
  assert.ok(Math.min(...times) < 4000, String(times));
});

test('nothing is asked of another host, nothing is refused by the policy, nothing complains', async () => {
  const page = await it.open();
  await answer(page);
  await drawn(page);
  await page.getByRole('button', { name: 'Census tables' }).click();
  await answer(page);
  await page.getByRole('link', { name: 'Budgets' }).click();
  await page.getByRole('heading', { level: 1, name: 'Budgets' }).waitFor();
  const foreign = it.requests.filter((address) => !address.startsWith(new URL(it.address).origin) && !/^(blob|data):/.test(address));
  assert.deepEqual(foreign, []);
  assert.ok(it.requests.some((address) => address.endsWith('.wasm')));
  assert.deepEqual(it.complaints, []);
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  assert.doesNotMatch(html, /<script(?![^>]*src=)|style=|href="\/|src="\/|https?:/);
  await page.close();
});

test('the page says so where the engine cannot be loaded', async () => {
  const context = await it.browser.newContext();
  const page = await context.newPage();
  await page.route('**/*.wasm', (route) => route.abort());
  await page.goto(it.address);
  await page.getByText(/There is no answer: The engine could not be loaded/).waitFor();
  await context.close();
});
