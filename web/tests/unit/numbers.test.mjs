import assert from 'node:assert/strict';
import test from 'node:test';
import { moduleOf } from './modules.mjs';

const { roundedUp, roundedDown, nearest, typed, grouped, chance } = await moduleOf('app/numbers.ts');

test('upper bounds are rounded up and lower bounds down, in as many digits as asked', () => {
  assert.equal(roundedUp(2.3816897261417993), '2.38169');
  assert.equal(roundedDown(2.3816897261414924), '2.38168');
  assert.equal(roundedUp(2.596641914856558), '2.59665');
  assert.equal(roundedUp(0.1), '0.1');
  assert.equal(roundedUp(999999.5), '1000000');
  assert.equal(roundedUp(0.9999999993829913), '1');
  assert.equal(roundedDown(0.9999999993829913), '0.999999');
  assert.equal(roundedUp(1.0000000001e-9, 2), '1.1e-9');
  assert.equal(roundedUp(0), '0');
  assert.equal(roundedUp(Infinity), '∞');
});

test('a rounded bound reads back to a number on the right side, for numbers of all sizes', () => {
  let state = 12345;
  for (let index = 0; index < 20000; ++index) {
    state = (1103515245 * state + 12345) % 2147483648;
    const value = (1 + state / 2147483648) * 10 ** ((index % 60) - 30);
    const digits = 1 + (index % 8);
    const [up, down] = [Number(roundedUp(value, digits)), Number(roundedDown(value, digits))];
    assert.ok(up >= value && down <= value, `${value} in ${digits} digits: ${down}, ${up}`);
    assert.ok(up - down <= value * 10 ** (1 - digits) * 1.0001, `${value} in ${digits} digits: ${down}, ${up}`);
  }
});

test('numbers are read as people type them, and what is none is not guessed', () => {
  assert.equal(typed('1e-5'), 1e-5);
  assert.equal(typed(' 60,000 '), 60000);
  assert.equal(typed('60_000'), 60000);
  assert.equal(typed('1 000 000'), 1000000);
  assert.equal(typed('.5'), 0.5);
  for (const text of ['', 'abc', '1,5', '0x10', '1e', 'Infinity', '1e999', '--1', '1 2']) assert.equal(typed(text), undefined, text);
});

test('probabilities and large numbers are said in words that people use', () => {
  assert.equal(chance(0.001), '1 in 1,000');
  assert.equal(chance(0.5), '50 %');
  assert.equal(grouped(14063), '14,063');
  assert.equal(nearest(0.012345678, 3), '0.0123');
});

const { outcomeWords } = await moduleOf('whatif/words.ts');

test('the odds of an outcome are never said to be smaller than their bound', () => {
  for (let k = 1; k < 2000; ++k) {
    const baseline = k * 4.7e-5;
    const atMost = baseline * (1 + 0.7 * Math.sin(k) ** 2);
    const [, bound, many] = /^at most ([\d.]+)(?: in ([\d,.]+)| %)$/.exec(outcomeWords(baseline, atMost));
    const said = Number(bound) / (many === undefined ? 100 : Number(many.replaceAll(',', '')));
    assert.ok(said >= atMost * (1 - 1e-15), `${baseline}: ${atMost} is said to be ${said}`);
  }
});
