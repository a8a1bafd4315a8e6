import assert from 'node:assert/strict';
import test from 'node:test';
import { moduleOf } from './modules.mjs';

const { valueAt, valueBetween } = await moduleOf('plots/rule.ts');
const { csvOf, figureOf, ticks, upperAt } = await moduleOf('plots/figure.ts');
const { linesOf, paperOf } = await moduleOf('plots/polygon.ts');
const { svgOf } = await moduleOf('plots/svg.ts');
const { FigureKeeper } = await moduleOf('plots/keeper.ts');
const { together } = await moduleOf('whatif/together.ts');

const near = (value, wanted) => assert.ok(Math.abs(value - wanted) <= 1e-13 * Math.abs(wanted), `${value} for ${wanted}`);

test('a rule is straight in its coordinates, and meets its points', () => {
  const { exp, log } = Math;
  const straight = {
    linear: [(x) => x, (y) => y],
    'linear-in-exp-x': [exp, (y) => y],
    'linear-in-exp-y': [(x) => x, exp],
    'linear-in-log-x': [log, (y) => y],
    'linear-in-log-y': [(x) => x, log],
    'log-log': [log, log],
    'log-log-complement': [(x) => log(1 - x), (y) => log(1 - y)],
  };
  for (const [rule, [across, up]] of Object.entries(straight)) {
    const [x0, y0, x1, y1] = [0.125, 0.75, 0.5, 0.25];
    for (const x of [0.126, 0.25, 0.4999]) {
      const value = valueBetween(rule, x0, y0, x1, y1, x);
      const part = (across(x) - across(x0)) / (across(x1) - across(x0));
      near(up(value), (1 - part) * up(y0) + part * up(y1));
    }
    assert.deepEqual([x0, x1].map((x) => valueBetween(rule, x0, y0, x1, y1, x)), [y0, y1]);
  }
  near(valueBetween('log-moment', 2, 1, 4, 3, 3), (1 * 1 + 3 * 3) / 2 / 2);
  assert.equal(valueBetween('log-moment', 1, 5, 3, 2, 1.5), 2);
});

test('far apart or close together, a rule loses no digits', () => {
  near(valueBetween('linear-in-exp-x', 0, 1, 2000, 1e-300, 1), 1);
  near(valueBetween('linear-in-exp-x', 1, 1, 1 + 1e-12, 2, 1 + 5.00000000001e-13), 1 + Math.expm1(1 + 5.00000000001e-13 - 1) / Math.expm1(1 + 1e-12 - 1));
  near(valueBetween('linear-in-exp-y', 0, 1000, 2, 2000, 1), 2000 - Math.log(2));
  near(valueBetween('log-log-complement', 1e-18, 1e-17, 3e-18, 3e-17, 2e-18), 2e-17);
});

test('steps take the value of one of their ends, at once or at the end', () => {
  const next = { x: [1, 2, 3], y: [10, 20, 30], rule: 'next' };
  assert.deepEqual([1, 1.0001, 2, 2.0001, 3].map((x) => valueAt(next, x)), [10, 20, 20, 30, 30]);
  const previous = { ...next, rule: 'previous' };
  assert.deepEqual([1, 1.9999, 2, 2.9999, 3].map((x) => valueAt(previous, x)), [10, 10, 20, 20, 30]);
});

test('outside of the points there is no value, at a jump the safe one, and between infinity and a point infinity', () => {
  const curve = { x: [0, 1, 1, 2, 3, 4], y: [0, 1, 5, 2, Infinity, NaN], rule: 'linear' };
  assert.deepEqual([-1, 4.5, 3.5].map((x) => valueAt(curve, x)), [NaN, NaN, NaN]);
  assert.equal(valueAt(curve, 1), 5);
  assert.equal(valueAt(curve, 1, false), 1);
  assert.equal(valueAt(curve, 2.5), Infinity);
  assert.equal(valueAt({ ...curve, rule: 'previous' }, 2.5), 2);
  assert.ok(Number.isNaN(valueAt({ x: [], y: [], rule: 'linear' }, 0)));
});

const axis = (low, high, scale = 'linear') => ({ label: 'x', scale, range: [low, high] });

/** The height of a polygon at a place. */
function heightAt(lines, place) {
  for (const line of lines) {
    for (let index = 1; index < line.length; ++index) {
      const [[x0, y0], [x1, y1]] = [line[index - 1], line[index]];
      if (place > x0 && place <= x1) return y0 + ((place - x0) / (x1 - x0)) * (y1 - y0);
    }
  }
  return undefined;
}

test('what is drawn is the rule within a fraction of a pixel, on every scale', () => {
  const frame = { left: 50, right: 450, top: 10, bottom: 260 };
  const curves = [
    { x: [0, 0.1, 0.1, 3, 9], y: [0.9, 0.8, 0.5, 1e-3, 0], rule: 'linear-in-exp-x' },
    { x: [1e-6, 0.9], y: [1e-5, 0.99], rule: 'log-log-complement' },
    { x: [1, 1.5, 60], y: [0.01, 0.9, 0.95], rule: 'log-moment' },
    { x: [1e-9, 1], y: [0.8, 1e-4], rule: 'linear' },
    { x: [0.1, 6], y: [1e-9, 0.9], rule: 'log-log' },
    { x: [0.1, 6], y: [0.9, 1e-7], rule: 'linear-in-log-y' },
    { x: [0.1, 0.5, 6], y: [0.2, 0.3, 0.7], rule: 'next' },
  ];
  for (const curve of curves) {
    for (const [x, y] of [[axis(0, 10), axis(0, 1)], [axis(1e-6, 10, 'log'), axis(1e-8, 1, 'log')], [axis(0, 10), axis(1e-8, 1, 'log')]]) {
      const paper = paperOf(x, y, frame);
      const lines = linesOf(curve, paper);
      for (let place = frame.left + 0.37; place < frame.right; place += 0.61) {
        const value = valueAt(curve, paper.valueAtX(place));
        if (Number.isNaN(value)) continue;
        const drawn = heightAt(lines, place);
        const top = Math.min(frame.bottom, paper.y(value)); // below the frame nothing is seen
        assert.ok(Math.abs(Math.min(frame.bottom, drawn) - top) < 0.25, `${curve.rule} at ${place}: ${drawn} for ${paper.y(value)}`);
      }
    }
  }
});

test('a curve is drawn where it is finite, and steps reach as far as their value is known', () => {
  const paper = paperOf(axis(0, 4), axis(0, 4), { left: 0, right: 400, top: 0, bottom: 400 });
  const gap = { x: [0, 1, 2, 3, 4], y: [1, 1, Infinity, 2, 2], rule: 'linear' };
  assert.deepEqual(linesOf(gap, paper).map((line) => [line[0][0], line[line.length - 1][0]]), [[0, 100], [300, 400]]);
  assert.deepEqual(linesOf({ ...gap, rule: 'next' }, paper).map((line) => [line[0][0], line[line.length - 1][0]]), [[0, 100], [200, 400]]);
});

test('axes have round numbers within their range', () => {
  assert.deepEqual(ticks(axis(0, 60), 7), [0, 10, 20, 30, 40, 50, 60]);
  assert.deepEqual(ticks(axis(1e-6, 1, 'log'), 4).map(Math.log10).map(Math.round), [-6, -4, -2, 0]);
});

const series = (more) => ({ name: 'exact', role: 'exact', shape: 'line', bound: 'upper', x: [0, 1], y: [0, 1], rule: 'linear', ...more });
const figure = (more) => ({ title: 'T', subtitle: 'S', x: axis(0, 1), y: axis(0, 1), series: [series()], marks: [], ...more });

test('an answer is read with its infinities and what is unknown', () => {
  const [curve, ...others] = figureOf({ figure: figure({ series: [series({ y: ['inf', null], lower: { x: [0], y: ['inf'], rule: 'previous' } }), series({ shape: 'masses' })] }) }).series;
  assert.deepEqual([curve.y, curve.lower.y, others.length], [[Infinity, NaN], [Infinity], 0]);
  assert.deepEqual(figureOf({ figure: figure({ marks: [{ x: 'inf', y: 1, text: '' }, { x: 1, text: 'at 1' }] }) }).marks.map(({ text }) => text), ['at 1']);
});

test('the least upper bound counts, and what is no bound does not', () => {
  const several = figure({ series: [series({ y: [0.5, 1] }), series({ y: [0.4, 0.9] }), series({ bound: 'estimate', y: [0, 0] }), series({ bound: 'lower', y: [0, 0] })] });
  assert.equal(upperAt(several, 0), 0.4);
  assert.equal(upperAt(several, 2), undefined);
});

test('a picture is a document by itself, whatever its texts say', () => {
  const text = svgOf(figure({ title: 'T & "U"', subtitle: '<b>', series: [series({ name: 'a < b & c' })], x: { ...axis(0, 1), label: '<x>' }, marks: [{ x: 0.5, y: 0.5, text: '<m>' }] }), '</desc><script>');
  assert.doesNotMatch(text, /<script|href|url\(http|var\(|<b>|<m>|<x>/);
  assert.match(text, /a &lt; b &amp; c/);
  assert.match(text, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
});

test('the file of numbers has every abscissa of every curve, with values by the rules', () => {
  const text = csvOf(figure({ series: [series({ name: 'a "b"', x: [0, 2], y: [0, 8] }), series({ name: 'c', x: [1, 3], y: [1, Infinity], rule: 'next', lower: { x: [1, 3], y: [0, 1], rule: 'previous' } })] }));
  assert.equal(text, '"x","a ""b""","c, upper end","c, lower end"\n0,0,,\n1,4,1,0\n2,8,inf,0\n3,,inf,1\n');
});

test('two figures share a frame, and their shares of the whole where their units differ', () => {
  const a = figure({ series: [series({ role: 'reference' }), series({ x: [0, 30] })], x: axis(0, 30), y: axis(0, 3), note: 'n' });
  const b = figure({ series: [series({ role: 'reference' }), series({ x: [0, 60] })], x: axis(0, 60), y: axis(-1, 2), marks: [{ x: 1, text: 'm' }] });
  const both = together(a, b);
  assert.deepEqual([both.x.range, both.y.range, both.note], [[0, 60], [-1, 3], 'A: n']);
  assert.deepEqual(both.series.map(({ name, run, role }) => [name, run, role]), [['A: exact', 0, 'exact'], ['exact', 1, 'reference'], ['B: exact', 1, 'exact']]);
  assert.deepEqual(both.marks.map(({ text, run }) => [text, run]), [['B: m', 1]]);
  const shares = together(a, { ...b, x: { ...b.x, label: 'other' } });
  assert.deepEqual([shares.x.label, ...shares.series.map(({ x }) => x[1])], ['% of the training', 100, (100 * 1) / 60, 100]);
});

/** A keeper whose engines answer when they are told to. */
function keeperOf() {
  const waiting = { coarse: [], fine: [] };
  const engine = (quality) => () => ({ quality });
  const keeper = new FigureKeeper({ coarse: engine('coarse'), fine: engine('fine') });
  const question = (key) => ({ key, ask: ({ quality }) => new Promise((resolve) => waiting[quality].push((fault) => resolve(fault ? { fault } : { figure: `${quality} ${key}` }))) });
  const answer = async (quality, fault) => {
    waiting[quality].shift()(fault);
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { keeper, question, answer, waiting, figure: () => keeper.shown.value.one?.figure };
}
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

test('curves follow a drag by coarse figures, and are refined when it rests', async () => {
  const { keeper, question, answer, waiting, figure: now } = keeperOf();
  keeper.show({ one: question('a') });
  assert.equal(keeper.old.value, true);
  keeper.show({ one: question('b') });
  await answer('coarse');
  assert.deepEqual([now(), keeper.old.value], ['coarse a', true]);
  await answer('coarse');
  assert.deepEqual([now(), keeper.old.value, waiting.fine.length], ['coarse b', false, 0]);
  await pause(200);
  await answer('fine');
  assert.equal(now(), 'fine b');
  keeper.show({ one: question('b') });
  await pause(200);
  assert.deepEqual([waiting.coarse.length, waiting.fine.length], [0, 0]);
});

test('a fine figure of an older position is dropped, and one that is refused leaves the coarse one', async () => {
  const { keeper, question, answer, waiting, figure: now } = keeperOf();
  keeper.show({ one: question('a') });
  await answer('coarse');
  await pause(200);
  keeper.show({ one: question('b') });
  await answer('coarse');
  await answer('fine');
  assert.equal(now(), 'coarse b');
  await pause(200);
  await answer('fine', 'too long');
  assert.equal(now(), 'coarse b');
  await pause(200);
  assert.deepEqual([waiting.coarse.length, waiting.fine.length], [0, 0]);
  keeper.show({});
  assert.equal(now(), undefined);
});
