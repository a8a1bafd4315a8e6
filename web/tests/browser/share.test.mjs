import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test, { after, before } from 'node:test';
import { shell } from './native.mjs';
import { answer, drawn, position, site } from './site.mjs';

let it;
before(async () => void (it = await site()));
after(async () => {
  await it.close();
  assert.deepEqual(it.complaints, []);
});

/** The content of the file that a button makes. */
async function fileOf(page, button) {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
}

test('a link opens as what it was made from, the other configuration included', async () => {
  const page = await it.open();
  await answer(page);
  await page.getByRole('button', { name: 'compare with another' }).click();
  await page.getByLabel('Noise multiplier', { exact: true }).fill('1.25');
  await page.getByLabel('Sampling').selectOption('truncated-poisson');
  await page.getByLabel('Target epsilon', { exact: true }).fill('2.5');
  const text = await answer(page);
  await page.waitForFunction(() => location.hash.length > 10);
  await page.waitForTimeout(400);
  const wanted = await position(page);
  const copy = await it.open({ fragment: new URL(page.url()).hash });
  assert.equal(await answer(copy), text);
  assert.deepEqual(await position(copy), wanted);
  assert.equal(await copy.getByLabel('Target epsilon', { exact: true }).inputValue(), '2.5');
  await copy.waitForFunction(() => document.querySelector('.side.pinned output')?.textContent === '2.38169');
  await page.close();
  await copy.close();
});

test('a fragment that is no state gives a notice and the first example', async () => {
  for (const fragment of ['#v1.AAAA', '#nonsense', '#v1.%00%ff', '#v9.e30']) {
    const page = await it.open({ fragment });
    assert.equal(await answer(page), '2.38169');
    await page.getByText(/The link could not be read/).waitFor();
    await page.close();
  }
});

test('another view and back keeps the state', async () => {
  const page = await it.open();
  await page.getByLabel('Epochs', { exact: true }).fill('30');
  const text = await answer(page);
  await page.waitForTimeout(400);
  await page.getByRole('link', { name: 'Budgets' }).click();
  await page.getByRole('heading', { level: 1, name: 'Budgets' }).waitFor();
  await page.getByRole('link', { name: 'What if' }).click();
  assert.equal(await answer(page), text);
  assert.equal(await page.getByLabel('Epochs', { exact: true }).inputValue(), '30');
  await page.close();
});

test('the command line gives the number on the page, for a run and for a plan', async () => {
  const page = await it.open();
  for (const preset of ['Training', 'Fine-tuning', 'Census tables']) {
    await page.getByRole('button', { name: preset, exact: true }).click();
    const text = await answer(page);
    const line = await page.getByLabel('The same answer on the command line', { exact: true }).innerText();
    assert.match(shell(line), new RegExp(`^epsilon = ${text.replace('.', '\\.')} at delta`), line);
  }
  await page.close();
});

test('statements are whole documents with the number', async () => {
  const page = await it.open();
  const text = await answer(page);
  const markdown = await fileOf(page, page.getByRole('button', { name: 'Statement (Markdown)' }));
  assert.equal(markdown.name, 'PRIVACY.md');
  assert.match(markdown.content.toString(), /^# /);
  assert.ok(markdown.content.toString().includes(text));
  const html = await fileOf(page, page.getByRole('button', { name: 'Statement (HTML)' }));
  const statement = await it.browser.newPage();
  await statement.setContent(html.content.toString());
  assert.ok((await statement.locator('body').innerText()).includes(text));
  assert.ok((await statement.locator('h1, h2').count()) > 2);
  await page.close();
});

test('every plot is saved as SVG that parses, as PNG that decodes and as CSV of its curves', async () => {
  const page = await it.open();
  await answer(page);
  await drawn(page);
  for (const title of ['Epsilon over training', 'Privacy profile', 'The best attacker']) {
    const svg = await fileOf(page, page.getByRole('button', { name: `${title} as SVG` }));
    const { root, paths } = await page.evaluate((source) => {
      const document = new DOMParser().parseFromString(source, 'image/svg+xml');
      return { root: document.documentElement.nodeName, paths: document.querySelectorAll('g[clip-path] > path').length };
    }, svg.content.toString());
    assert.equal(root, 'svg');
    assert.equal(paths, 2);
    assert.doesNotMatch(svg.content.toString(), /NaN|undefined|Infinity/);
    const png = await fileOf(page, page.getByRole('button', { name: `${title} as PNG` }));
    assert.deepEqual([...png.content.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
    assert.equal(png.content.readUInt32BE(16), 1520);
    assert.ok(png.content.length > 10_000);
    const csv = await fileOf(page, page.getByRole('button', { name: `${title} as CSV` }));
    assert.match(csv.content.toString(), /^"[^"]+","[^"]+","[^"]+"\n([\d.e-]+,[\d.e-]*,[\d.e-]*\n){10,}$/);
  }
  await page.close();
});
