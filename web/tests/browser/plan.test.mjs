import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
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
};

const openPlan = async () => {
  const page = await it.open();
  await page.getByRole('button', { name: 'Census tables' }).click();
  await page.locator('#add-step:not([disabled])').waitFor();
  return page;
};

test('the census plan is answered, with curves', async () => {
  const page = await openPlan();
  await agrees(page);
  await drawn(page);
  assert.equal(await page.locator('[data-plot="training"] h3').textContent(), 'Epsilon step by step');
  await page.close();
});

test('steps are added from the catalogue, copied, changed and removed', async () => {
  const page = await openPlan();
  assert.equal((await native({ op: 'mechanisms' })).mechanisms.length, await page.locator('#add-step optgroup').first().locator('option').count());
  await page.locator('#add-step').selectOption('gaussian');
  await page.getByLabel('Step 5: gaussian').getByLabel('Noise multiplier', { exact: true }).fill('12');
  await page.getByLabel('Step 5: gaussian').getByLabel('Count', { exact: true }).fill('3');
  await agrees(page);
  await page.getByLabel('Duplicate step 5').click();
  assert.equal((await position(page)).steps.length, 6);
  await agrees(page);
  for (let index = 6; index > 1; --index) await page.getByLabel(`Remove step ${index}`).click();
  assert.deepEqual((await position(page)).steps, [{ mechanism: 'discrete-gaussian', stddev: 30, sensitivity: 1, name: 'population of each block' }]);
  await agrees(page);
  await page.getByLabel('Remove step 1').click();
  assert.equal(await answer(page), '0');
  await page.close();
});

test('every mechanism and form of the catalogue makes a step that the engine takes', async () => {
  const page = await openPlan();
  const kinds = await page.locator('#add-step option').evaluateAll((all) => all.map((option) => option.value).filter(Boolean));
  for (let index = 4; index > 0; --index) await page.getByLabel(`Remove step ${index}`).click();
  for (const kind of kinds) {
    await page.getByLabel('Neighbouring datasets').selectOption(kind === 'shuffle-model' ? 'replace-one' : 'add-or-remove-one');
    await page.locator('#add-step').selectOption(kind);
    await answer(page);
    assert.equal(await page.locator('.error, .refusal').count(), 0, `${kind}: ${await page.locator('.error, .refusal').allTextContents()}`);
    await page.getByLabel('Remove step 1').click();
  }
  await page.close();
});

test('errors stand at the number, the sampling or the form that they are about', async () => {
  const page = await openPlan();
  await page.getByLabel('Step 1: discrete-gaussian').getByLabel('Stddev', { exact: true }).fill('0');
  await page.locator('[data-field="0.stddev"] .error').waitFor();
  await page.getByLabel('Step 1: discrete-gaussian').getByLabel('Stddev', { exact: true }).fill('30');
  await page.getByLabel('Step 3: laplace').getByLabel('Sampling').selectOption('poisson');
  await agrees(page);
  await page.getByLabel('Step 3: laplace').getByLabel('Rate', { exact: true }).fill('7');
  await page.locator('[data-field="2.sampling.rate"] .error').waitFor();
  await page.getByLabel('Step 3: laplace').getByLabel('Rate', { exact: true }).fill('0.5');
  await page.locator('#add-step').selectOption('form parallel');
  await page.locator('#field-4-form').fill('{"parallel":[[{"mechanism":"laplace","scale":-2}]]}');
  await page.locator('[data-field="4.form"] .error').waitFor();
  await page.close();
});

test('a plan without an exact figure shows the Rényi bound, and says so', async () => {
  const page = await openPlan();
  await page.locator('#add-step').selectOption('form select');
  const text = await answer(page);
  const { renyi, exact } = native(await position(page));
  assert.ok(isRoundedUp(text, renyi.epsilon), `${text} for ${renyi.epsilon}`);
  assert.ok(exact.unavailable);
  assert.equal(await page.locator('#answer .standing').textContent(), 'upper bound');
  assert.ok((await page.locator('#answer .details').innerText()).includes(exact.unavailable));
  await page.waitForFunction(() => document.querySelectorAll('[data-plot="attacker"] .key.current').length === 1);
  await page.close();
});

test('a number of a step is solved for', async () => {
  const page = await openPlan();
  await page.getByLabel('Target epsilon', { exact: true }).fill('0.6');
  const scale = page.getByLabel('Step 3: laplace').getByLabel('Scale', { exact: true });
  await page.getByLabel('Step 3: laplace').getByLabel('Solve for scale').click();
  await page.waitForFunction(() => document.getElementById('field-2-scale').value !== '40');
  assert.ok(Number(await scale.inputValue()) < 40);
  const text = await answer(page);
  assert.ok(Number(text) <= 0.6 && Number(text) > 0.59, text);
  await page.close();
});

test('a plan file that is exported is one that the command reads, and opens again', async () => {
  const page = await openPlan();
  const text = await answer(page);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Plan file', exact: true }).click()]);
  const path = await file.path();
  const { renyi, ...plan } = JSON.parse(await readFile(path, 'utf8'));
  assert.equal(renyi, 1);
  assert.ok(isRoundedUp(text, native({ op: 'epsilon', ...plan, delta: 1e-10 }).exact.upper));
  await page.getByRole('button', { name: 'Training', exact: true }).click();
  await page.getByRole('button', { name: 'Plan', exact: true }).click();
  await page.locator('.import input').setInputFiles(path);
  await page.getByLabel('Delta', { exact: true }).fill('1e-10');
  assert.equal(await answer(page), text);
  await page.locator('.import input').setInputFiles({ name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from('{"renyi":3}') });
  await page.getByText(/bad\.json: "renyi" is 3, allowed: 1/).waitFor();
  await page.close();
});
