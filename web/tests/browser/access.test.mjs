import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { answer, drawn, position, site } from './site.mjs';

let it;
before(async () => void (it = await site()));
after(async () => {
  await it.close();
  assert.deepEqual(it.complaints, []);
});

/** Texts whose contrast with what is behind them is below 4.5, or below 3 where they are large. */
function faint() {
  const numbers = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let place = element; place; place = place.parentElement) {
      const [red, green, blue, alpha = 1] = numbers(getComputedStyle(place).backgroundColor);
      if (alpha === 1) return [red, green, blue];
    }
    return [255, 255, 255];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const style = getComputedStyle(element);
    const disabled = element.closest('button:disabled');
    if (!walker.currentNode.data.trim() || style.visibility === 'hidden' || disabled || element.closest('.off-screen, .skip, noscript')) continue;
    const [a, b] = [luminance(numbers(style.color)), luminance(behind(element))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    if (contrast < (large ? 3 : 4.5)) found.push(`${walker.currentNode.data.trim().slice(0, 30)}: ${contrast.toFixed(2)}`);
  }
  return found;
}

/** Controls without a name for screen readers. */
const nameless = () =>
  [...document.querySelectorAll('input, select, textarea, button, a[href]')]
    .filter((element) => !(element.labels?.length || element.getAttribute('aria-label') || element.textContent.trim()))
    .map((element) => element.outerHTML);

test('texts have enough contrast in light and in dark, also where something is wrong', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const page = await it.open({ colorScheme });
    await answer(page);
    await drawn(page);
    assert.deepEqual(await page.evaluate(faint), [], colorScheme);
    await page.getByRole('button', { name: 'compare with another' }).click();
    await page.getByRole('button', { name: 'Fine-tuning' }).click();
    await page.getByLabel('Solve for noise multiplier').click();
    await page.locator('.notice').waitFor();
    await page.getByLabel('Delta', { exact: true }).fill('x');
    await page.locator('.error').waitFor();
    assert.deepEqual(await page.evaluate(faint), [], colorScheme);
    await page.close();
  }
});

test('the colours can be switched, and the choice stays', async () => {
  const page = await it.open({ colorScheme: 'light' });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.getByRole('button', { name: 'Switch to dark colours' }).click();
  const dark = await paper();
  assert.notEqual(light, dark);
  await page.reload();
  assert.equal(await paper(), dark);
  await page.close();
});

test('every control has a name, every plot a summary and a table, and there is one of each landmark', async () => {
  const page = await it.open();
  await answer(page);
  await drawn(page);
  assert.deepEqual(await page.evaluate(nameless), []);
  assert.match(await page.locator('[data-plot="profile"] [role=img]').getAttribute('aria-label'), /delta falls as epsilon grows, and is 0\.00001 at epsilon 2\.38169/);
  assert.match(await page.locator('[data-plot="attacker"] [role=img]').getAttribute('aria-label'), /finds at most [\d.]+ %/);
  for (const summary of await page.locator('.plot summary').all()) await summary.click();
  assert.ok((await page.locator('.numbers-table tbody tr').count()) > 60);
  for (const landmark of ['main', 'nav', 'header.top', 'footer', 'h1']) assert.equal(await page.locator(landmark).count(), 1, landmark);
  await page.getByRole('button', { name: 'Plan', exact: true }).click();
  await page.locator('#add-step:not([disabled])').waitFor();
  assert.deepEqual(await page.evaluate(nameless), []);
  await page.close();
});

test('everything can be done by the keyboard', async () => {
  const page = await it.open();
  await answer(page);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  const reach = async (wanted) => {
    for (let step = 0; step < 80; ++step) {
      await page.keyboard.press('Tab');
      const now = await page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.id);
      if (now === wanted) return;
    }
    assert.fail(`${wanted} is not reached by Tab`);
  };
  await reach('Noise multiplier, slider');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.notEqual(outline, 'none');
  await page.keyboard.press('ArrowRight');
  const one = (await position(page)).run.noise_multiplier;
  assert.ok(one > 1.1);
  await page.keyboard.press('PageUp');
  const ten = (await position(page)).run.noise_multiplier;
  assert.ok(ten > one * 1.2);
  await page.keyboard.press('Home');
  assert.equal((await position(page)).run.noise_multiplier, 0.3);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => Number(document.querySelector('#field-noise_multiplier').value) > 2);
  assert.ok(Number(await answer(page)) <= 1);
  await page.close();
});

test('the result is said to screen readers once it rests', async () => {
  const page = await it.open();
  await page.getByText('Epsilon 2.38169 at delta 1e-5, exact, rounded up.').waitFor({ state: 'attached' });
  await page.getByLabel('Delta', { exact: true }).fill('oops');
  await page.getByText(/No answer: got "oops"/).waitFor({ state: 'attached' });
  await page.close();
});

test('a phone shows everything without scrolling sideways, with targets that a finger meets', async () => {
  const page = await it.open({ viewport: { width: 390, height: 844 }, hasTouch: true });
  await answer(page);
  await drawn(page);
  const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok((await tooWide()) <= 0);
  await page.getByRole('button', { name: 'compare with another' }).click();
  await page.getByRole('button', { name: 'Census tables' }).click();
  await answer(page);
  assert.ok((await tooWide()) <= 0);
  const small = await page.locator('button, select, input[type=text], input[type=range]').evaluateAll((all) =>
    all.filter((element) => element.getBoundingClientRect().height > 0 && element.getBoundingClientRect().height < 40).map((element) => element.outerHTML.slice(0, 90)),
  );
  assert.deepEqual(small, []);
  await page.locator('#add-step').scrollIntoViewIfNeeded();
  await page.locator('.bar.away').waitFor();
  await page.close();
});
