import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { isRoundedUp, native } from './native.mjs';
import { answer, drawn, position, site } from './site.mjs';

let it;
before(async () => void (it = await site()));
after(async () => {
  await it.close();
  assert.deepEqual(it.complaints, []);
});

const agrees = async (page) => {
  const text = await answer(page);
  const { exact } = native(await position(page));
  assert.ok(isRoundedUp(text, exact.upper), `${text} for ${exact.upper}`);
  return text;
};

test('the first answer is that of the README', async () => {
  const page = await it.open();
  assert.equal(await answer(page), '2.38169');
  const text = await page.locator('#answer').innerText();
  assert.match(text, /2\.59665 at order 8\.122/);
  assert.match(text, /2\.38168 to 2\.38169/);
  assert.match(text, /exact, rounded up/);
  assert.match(text, /14,063/);
  await page.close();
});

test('a slider that is dragged leaves the number that the native command gives', async () => {
  const page = await it.open();
  await answer(page);
  const box = await page.getByLabel('Noise multiplier, slider').boundingBox();
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
  await page.mouse.down();
  for (let step = 0; step < 40; ++step) await page.mouse.move(box.x + box.width * (0.3 + step / 100), box.y + box.height / 2);
  await page.mouse.up();
  assert.notEqual(await agrees(page), '2.38169');
  await drawn(page);
  await page.close();
});

test('every sampling scheme, relation and unit is answered as by the native command, or refused at its field', async () => {
  const page = await it.open();
  await page.getByRole('button', { name: 'Fine-tuning', exact: true }).click();
  for (const [scheme, relation] of [
    ['fixed-size', 'replace-one'],
    ['truncated-poisson', 'add-or-remove-one'],
    ['shuffled', 'zero-out'],
    ['random-allocation', 'add-or-remove-one'],
    ['poisson', 'replace-one'],
  ]) {
    if (scheme === 'shuffled' || scheme === 'random-allocation') {
      await page.getByLabel('Give epochs instead of steps').click({ timeout: 500 }).catch(() => undefined);
      await page.getByLabel('Epochs', { exact: true }).fill('3');
    }
    await page.getByLabel('Sampling').selectOption(scheme);
    await page.getByLabel('Neighbouring datasets').selectOption(relation);
    await agrees(page);
  }
  await page.getByLabel('Neighbouring datasets').selectOption('add-or-remove-one');
  await page.getByLabel('Records per person', { exact: true }).fill('2');
  await agrees(page);
  await page.getByLabel('Sampling').selectOption('fixed-size');
  await page.locator('.error, .refusal').first().waitFor();
  await page.close();
});

test('an error stands at its field, keeps what was typed, and goes away', async () => {
  const page = await it.open();
  await answer(page);
  const noise = page.getByLabel('Noise multiplier', { exact: true });
  await noise.fill('-1.1');
  const error = page.locator('[data-field="noise_multiplier"] .error');
  await error.waitFor();
  assert.match(await error.textContent(), /allowed: a number in \[0\.01, 1000000\]/);
  assert.equal(await noise.getAttribute('aria-invalid'), 'true');
  assert.ok((await noise.getAttribute('aria-describedby')).includes(await error.getAttribute('id')));
  assert.equal(await noise.inputValue(), '-1.1');
  assert.equal(await page.locator('#answer output').textContent(), '–');
  await noise.fill('1.1');
  assert.equal(await answer(page), '2.38169');
  assert.equal(await error.count(), 0);
  for (const [label, field, text] of [
    ['Dataset size', 'dataset_size', '1e5.5'],
    ['Expected batch size', 'batch_size', '70000'],
    ['Epochs', 'length', ''],
    ['Delta', 'delta', '2'],
    ['Records per person', 'unit', '0'],
  ]) {
    const input = page.getByLabel(label, { exact: true });
    const kept = await input.inputValue();
    await input.fill(text);
    await page.locator(`[data-field="${field}"] .error`).waitFor();
    await input.fill(kept);
    assert.equal(await answer(page), '2.38169');
  }
  await page.close();
});

test('solving sets a number to the engine’s value, which meets the target', async () => {
  const page = await it.open();
  await answer(page);
  await page.getByLabel('Target epsilon', { exact: true }).fill('2');
  for (const [what, label] of [
    ['noise multiplier', 'Noise multiplier'],
    ['epochs', 'Epochs'],
    ['expected batch size', 'Expected batch size'],
    ['delta', 'Delta'],
    ['dataset size', 'Dataset size'],
  ]) {
    await page.getByRole('button', { name: 'Training', exact: true }).click();
    await answer(page);
    const input = page.getByLabel(label, { exact: true });
    const kept = await input.inputValue();
    await page.getByLabel(`Solve for ${what}`).click();
    await page.waitForFunction(([id, old]) => document.getElementById(id).value !== old, [await input.getAttribute('id'), kept]);
    const text = await answer(page);
    assert.ok(Number(text) <= 2 && Number(text) > 1.9, `${what}: ${text}`);
  }
  await page.getByRole('button', { name: 'Training', exact: true }).click();
  await page.getByLabel('Solve for noise multiplier').click();
  await page.getByRole('button', { name: /^Use / }).click();
  assert.match(await page.getByLabel('Noise multiplier', { exact: true }).inputValue(), /^\d\.\d\d$/);
  await page.close();
});

test('two configurations stand side by side, with what differs', async () => {
  const page = await it.open();
  await answer(page);
  await page.getByRole('button', { name: 'compare with another' }).click();
  await page.getByLabel('Noise multiplier', { exact: true }).fill('1.5');
  await answer(page);
  await page.waitForFunction(() => document.querySelector('.side.pinned output')?.textContent === '2.38169');
  assert.match(await page.locator('.differences').innerText(), /B costs less than A: epsilon 1\.48273 instead of 2\.38169, 37\.7 % less[^]*noise multiplier\s+1\.1\s+1\.5/);
  await drawn(page);
  await page.waitForFunction(() => document.querySelectorAll('.plot .key.pinned').length === 5);
  await page.getByRole('button', { name: 'swap' }).click();
  assert.equal(await answer(page), '2.38169');
  await page.getByRole('button', { name: 'stop comparing' }).click();
  assert.equal(await page.locator('.side.pinned').count(), 0);
  await page.close();
});

test('the attacker’s curve lies on the best test, and never below it', async () => {
  const page = await it.open();
  await answer(page);
  await drawn(page);
  await page.waitForTimeout(1500);
  await page.locator('[data-plot="attacker"] summary').click();
  const rows = await page.locator('[data-plot="attacker"] tbody tr').evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => Number(cell.textContent))));
  const inner = rows.filter(([rate]) => rate > 1e-5 && rate < 1).slice(0, 12);
  const { points } = native({ op: 'tradeoff', ...subject(await position(page)), type_1_errors: inner.map(([rate]) => rate), time_limit: 20 });
  inner.forEach(([rate, power], index) => {
    const { lower } = points[index].power;
    assert.ok(power >= lower * (1 - 2e-4), `at ${rate}: ${power} is below ${lower}`);
    assert.ok(power <= lower + 0.005, `at ${rate}: ${power} is far above ${lower}`);
  });
  await page.close();
});

test('what is read off a plot is not below what is true there, while a slider moves and when it rests', async () => {
  const page = await it.open();
  await answer(page);
  const slider = await page.getByLabel('Noise multiplier, slider').boundingBox();
  for (const rests of [false, true]) {
    await page.mouse.click(slider.x + slider.width * (rests ? 0.2 : 0.3), slider.y + slider.height / 2);
    await answer(page);
    await drawn(page);
    if (rests) await page.waitForTimeout(2500);
    const now = await position(page);
    for (const [plot, truth] of [
      ['training', (x) => native({ ...now, run: { ...now.run, epochs: Math.floor((x * 60000) / 256) * (256 / 60000) } }).exact.lower],
      ['profile', (x) => native({ op: 'delta', ...subject(now), epsilon: x }).exact.lower],
    ]) {
      const box = await page.locator(`[data-plot="${plot}"] .canvas`).boundingBox();
      for (const share of [0.171, 0.2, 0.6]) {
        await page.mouse.move(box.x + share * box.width, box.y + box.height / 2);
        const legend = await page.locator(`[data-plot="${plot}"] .legend`).innerText();
        const x = Number(/read off at ([\d.e-]+)/.exec(legend)[1]);
        const text = await page.locator(`[data-plot="${plot}"] .key.current.solid b`).innerText();
        const value = text.trim() === '∞' ? Infinity : Number(text);
        assert.ok(value >= truth(x), `${plot} at ${x}: ${value} is below ${truth(x)}`);
      }
    }
  }
  await page.close();
});

const subject = ({ op: _op, delta: _delta, ...rest }) => rest;

test('the odds of a bad outcome are those that explain gives', async () => {
  const page = await it.open();
  await answer(page);
  const { outcomes } = native({ op: 'explain', ...subject(await position(page)), baseline: [0.001] });
  const expected = 1000 * outcomes[0].exact.upper;
  await page.waitForFunction((value) => {
    const said = /at most ([\d.]+) in 1,000/.exec(document.querySelector('.odds .probability')?.textContent ?? '');
    return said && Number(said[1]) >= value && Number(said[1]) < value * 1.01;
  }, expected);
  await page.close();
});
