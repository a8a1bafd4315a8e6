import assert from 'node:assert/strict';
import test from 'node:test';
import { moduleOf } from './modules.mjs';

const { power, falsePositiveRates } = await moduleOf('plots/roc.ts');
const { ticks, valueAt } = await moduleOf('plots/figure.ts');
const { svgOf } = await moduleOf('plots/svg.ts');

test('guarantees bound the attacker by their lines', () => {
  assert.equal(power([], 0.3), 1);
  const nothing = [{ epsilon: 0, remove: 0, add: 0 }];
  for (const rate of falsePositiveRates) assert.ok(Math.abs(power(nothing, rate) - rate) < 1e-9);
  const pure = [{ epsilon: Math.log(3), remove: 0, add: 0 }];
  assert.ok(Math.abs(power(pure, 0.1) - 0.3) < 1e-9);
  assert.ok(Math.abs(power(pure, 0.7) - 0.9) < 1e-9);
  const better = power([{ epsilon: 1, remove: 0.2, add: 0.1 }], 0.1);
  assert.ok(Math.abs(better - (0.1 * Math.E + 0.2)) < 1e-9, 'the better of both tests counts');
});

test('more guarantees never raise the bound, and it grows with the false positives', () => {
  const few = [{ epsilon: 1, remove: 0.01, add: 0.02 }];
  const many = [...few, { epsilon: 0.5, remove: 0.05, add: 0.04 }, { epsilon: 2, remove: 1e-4, add: 1e-4 }];
  let last = 0;
  for (const rate of falsePositiveRates) {
    assert.ok(power(many, rate) <= power(few, rate));
    assert.ok(power(many, rate) >= last);
    last = power(many, rate);
  }
});

test('axes have round numbers within their range', () => {
  assert.deepEqual(ticks({ label: '', log: false, range: [0, 60] }, 7), [0, 10, 20, 30, 40, 50, 60]);
  assert.deepEqual(ticks({ label: '', log: true, range: [1e-6, 1] }, 4).map(Math.log10).map(Math.round), [-6, -4, -2, 0]);
});

test('values between points are straight in the scales of the figure', () => {
  const curve = { label: '', role: 'current', dashed: false, x: [0, 1, 2], y: [1, 0.01, 0.0001] };
  assert.ok(Math.abs(valueAt(curve, 0.5, false, true) - 0.1) < 1e-12);
  assert.ok(Math.abs(valueAt(curve, 0.5, false, false) - 0.505) < 1e-12);
  assert.equal(valueAt(curve, 3, false, true), undefined);
});

test('a picture is a document by itself, whatever its title says', () => {
  const curve = { label: 'a < b & c', role: 'current', dashed: false, x: [0, 1], y: [0, 1] };
  const axis = { label: '<x>', log: false, range: [0, 1] };
  const text = svgOf({ title: 'T & "U"', summary: '</desc><script>', x: axis, y: axis, curves: [curve] });
  assert.doesNotMatch(text, /<script|href|url\(http/);
  assert.match(text, /a &lt; b &amp; c/);
  assert.match(text, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
});

test('a figure is drawn anew when its points or its frame change, and not for its summary', async () => {
  const { looksLike } = await moduleOf('plots/figure.ts');
  const axis = { label: 'x', log: false, range: [0, 1] };
  const figure = { title: 'T', summary: 'one', x: axis, y: axis, curves: [{ label: 'c', role: 'current', dashed: false, x: [0, 1], y: [0, 1] }] };
  assert.ok(looksLike(figure, { ...figure, summary: 'two' }));
  assert.ok(!looksLike(figure, { ...figure, y: { ...axis, range: [0, 2] } }));
  assert.ok(!looksLike(figure, { ...figure, curves: [] }));
  assert.ok(!looksLike(figure, { ...figure, curves: [{ ...figure.curves[0], y: [0, 1] }] }));
});
