// The engine answers every request of the project as the native command does.
import assert from 'node:assert/strict';
import test from 'node:test';
import { differences } from './compare.js';
import { createEngine, native } from './native.js';
import { collect } from './requests.js';

const engine = await createEngine();
const absent = new Set(['certify', 'verify', 'ledger']);
const hasLimit = (answer) => answer.limit !== undefined || answer.error?.kind === 'limit_reached';

function opOf(line) {
  try {
    return JSON.parse(line)?.op;
  } catch {
    return undefined;
  }
}

test('every request has the same answer', () => {
  const lines = collect().filter((line) => !absent.has(opOf(line)));
  assert.ok(lines.length >= 500, `only ${lines.length} requests were found`);
  const answers = native(lines).map((answer) => JSON.parse(answer));
  const failures = [];
  let slow = 0, errors = 0;
  lines.forEach((line, i) => {
    const ours = engine.ask(line);
    if (hasLimit(ours) || hasLimit(answers[i])) {
      ++slow;
      return;
    }
    if (ours.error) ++errors;
    for (const difference of differences(answers[i], ours)) failures.push(`${line.slice(0, 300)}\n    ${difference}`);
  });
  console.log(`${lines.length} requests compared, ${errors} of them errors; ${slow} reached a limit of time`);
  assert.ok(slow <= lines.length / 50, `${slow} of ${lines.length} requests reached a limit of time`);
  assert.equal(failures.length, 0, `\n${failures.join('\n')}`);
});

test('what needs Arb or a store is unsupported', () => {
  const asked = collect().filter((line) => absent.has(opOf(line)));
  const [kinds, theirs] = [asked.map((line) => engine.ask(line).error?.kind), native(asked).map((line) => JSON.parse(line))];
  asked.forEach((line, i) => {
    const expected = theirs[i].error?.kind === 'invalid_argument' ? ['invalid_argument', 'unsupported'] : ['unsupported'];
    assert.ok(expected.includes(kinds[i]), `${line}: ${kinds[i]}`);
  });
  const steps = [{ mechanism: 'gaussian', noise_multiplier: 1 }];
  const certified = engine.ask({ op: 'certify', steps, delta: 1e-5 });
  assert.equal(certified.error.kind, 'unsupported');
  assert.match(certified.error.message, /without certified arithmetic/);
  const ledger = engine.ask({ op: 'ledger', verb: 'init', ledger: 'clinic.ledger' });
  assert.equal(ledger.error.kind, 'unsupported');
  assert.match(ledger.error.message, /has no ledger/);
});
