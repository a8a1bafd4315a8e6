import assert from 'node:assert/strict';
import test from 'node:test';
import { moduleOf } from './modules.mjs';

const { placeOf, numberAt, movedTo, positions } = await moduleOf('whatif/slider.ts');

const ranges = {
  noise: { low: 0.3, high: 30, log: true, whole: false },
  unit: { low: 1, high: 64, log: true, whole: true },
  delta: { low: 1e-12, high: 1e-2, log: true, whole: false },
  percent: { low: 0, high: 100, log: false, whole: true },
};

test('an arrow key always moves on, in both directions, from end to end', () => {
  for (const range of Object.values(ranges)) {
    let value = range.low;
    let steps = 0;
    while (placeOf(value, range) < positions) {
      const next = Number(movedTo(placeOf(value, range) + 1, value, range));
      assert.ok(next > value, `${value} to ${next}`);
      value = next;
      assert.ok(++steps <= positions);
    }
    while (placeOf(value, range) > 0) {
      const next = Number(movedTo(placeOf(value, range) - 1, value, range));
      assert.ok(next < value, `${value} to ${next}`);
      value = next;
    }
    assert.equal(value, range.low);
  }
});

test('numbers of a slider are short, within its ends, and beyond them it stays at the end', () => {
  for (const range of Object.values(ranges)) {
    for (let position = 0; position <= positions; position += 7) {
      const value = Number(numberAt(position, range));
      assert.ok(value >= range.low && value <= range.high * 1.0001);
      assert.ok(Number(value.toPrecision(3)) === value);
    }
    assert.equal(placeOf(range.high * 50, range), positions);
    assert.equal(placeOf(range.low - 1, range), 0);
  }
});
