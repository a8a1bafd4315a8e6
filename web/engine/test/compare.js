// Compares an answer of the engine with that of the native command: the same members and texts, intervals that meet, and
// numbers that differ by no more than rounding.

const numbersInText = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/gi;

// Where a bound is flat, the place of its optimum is known to half of the digits.
const places = /(^|\.)(order|lower_order|upper_order|from_order|delta_apart|at_order)$/;
const relative = (path) => (places.test(path) ? 1e-3 : 1e-9);

function near(a, b, tolerance) {
  return a === b || Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b));
}

const end = (value) => (value === 'inf' ? Infinity : value === '-inf' ? -Infinity : value);

// Where mechanisms are listed, whether a certificate can be had.
const ofTheBuild = /^mechanisms\.\d+\.certified$/;

/** Returns what differs, as texts that name the member. `width` is that of an interval around the two numbers. */
export function differences(native, engine, path = '', width = 0) {
  if (ofTheBuild.test(path)) return engine === false ? [] : [`${path}: ${engine}`];
  if (typeof native === 'number' && typeof engine === 'number') {
    const same = near(native, engine, relative(path)) || Math.abs(native - engine) <= width;
    return same ? [] : [`${path}: ${native} and ${engine}`];
  }
  if (typeof native === 'string' && typeof engine === 'string') return inTexts(native, engine, path);
  if (native === null || engine === null || typeof native !== 'object' || typeof engine !== 'object') {
    return native === engine ? [] : [`${path}: ${JSON.stringify(native)} and ${JSON.stringify(engine)}`];
  }
  const keys = Object.keys(native);
  if (keys.join() !== Object.keys(engine).join()) return [`${path}: members ${keys} and ${Object.keys(engine)}`];
  return [...apart(native, engine, path), ...keys.flatMap((key) => inMember(native, engine, path, key))];
}

function inMember(native, engine, path, key) {
  const place = path === '' ? key : `${path}.${key}`;
  const isEnd = (key === 'lower' || key === 'upper') && 'lower' in native && 'upper' in native;
  const width = isEnd ? Math.max(native.upper - native.lower, engine.upper - engine.lower) : 0;
  return differences(native[key], engine[key], place, width);
}

/** Intervals of the same value meet. */
function apart(native, engine, path) {
  if (!('lower' in native && 'upper' in native)) return [];
  const meet = end(native.lower) <= end(engine.upper) && end(engine.lower) <= end(native.upper);
  const comparable = [native.lower, native.upper].every((value) => typeof end(value) === 'number');
  return meet || !comparable ? [] : [`${path}: intervals that do not meet`];
}

function inTexts(native, engine, path) {
  if (native.replace(numbersInText, '#') !== engine.replace(numbersInText, '#')) {
    return [`${path}: "${native}" and "${engine}"`];
  }
  const [theirs, ours] = [native, engine].map((text) => (text.match(numbersInText) ?? []).map(Number));
  const same = theirs.every((number, i) => near(number, ours[i], 1e-5));
  return same ? [] : [`${path}: "${native}" and "${engine}"`];
}
