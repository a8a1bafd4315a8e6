// The odds of a bad outcome, in words: live from a figure of the engine, and exactly as soon as it has answered.
import { signal } from '@preact/signals';
import { useSignalEffect } from '@preact/signals';
import { type Explanation, type Interval, isUnavailable, numberOf } from '../engine/answers';
import { oddsEngine } from '../engine/engines';
import { roundedUp } from '../app/numbers';
import { found } from './figures';
import { movedTo, placeOf, type Range } from './slider';
import { subjectOf } from './request';
import { baseline, shown } from './state';
import { baselineWords, outcomeWords } from './words';

const range: Range = { low: 1e-6, high: 0.5, log: true, whole: false };
/** The exact probability, with the position and the baseline that it belongs to. */
const exact = signal<{ key: string; baseline: number; upper: number } | undefined>(undefined);

async function ask(key: string, probability: number, subject: object): Promise<void> {
  const request = { op: 'explain', ...subject, baseline: [probability], time_limit: 4 };
  const answer = await oddsEngine().latest<Explanation>('explain', request);
  if (!answer || answer.error) return;
  const outcome = answer.outcomes[0];
  const best = outcome && !isUnavailable(outcome.exact) ? outcome.exact : outcome?.renyi;
  if (best && !isUnavailable(best)) exact.value = { key, baseline: probability, upper: numberOf((best as Interval).upper) };
}

/** The smallest bound on the probability: the exact one if it has come, else what the figure says. */
function atMost(): number | undefined {
  const likely = found(baseline.value);
  const known = exact.value;
  if (!known || known.key !== shown.value?.key || known.baseline !== baseline.value) return likely;
  return Math.min(known.upper, likely ?? 1);
}

/** The same for several probabilities, as the figure says it. */
function OtherOdds() {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">without their data</th>
          <th scope="col">with it, at most</th>
          <th scope="col">times as likely</th>
        </tr>
      </thead>
      <tbody>
        {[0.5, 0.1, 0.01, 1e-4, 1e-6].map((probability) => {
          const likely = found(probability);
          return (
            <tr>
              <td>{baselineWords(probability)}</td>
              <td>{likely === undefined ? '…' : outcomeWords(probability, likely).replace('at most ', '')}</td>
              <td>{likely === undefined ? '…' : roundedUp(likely / probability, 3).replace(/\B(?=(\d{3})+$)/g, likely / probability >= 1000 ? ',' : '')}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

export function OddsOfABadOutcome() {
  useSignalEffect(() => {
    const now = shown.value;
    const probability = baseline.value;
    if (!now?.cost) return undefined;
    const timer = setTimeout(() => void ask(now.key, probability, subjectOf(now.configuration)), 350);
    return () => clearTimeout(timer);
  });
  const likely = atMost();
  return (
    <section class="card odds" aria-labelledby="odds-title">
      <h2 id="odds-title">What it means for a person</h2>
      <p class="sentence">
        Whatever may happen to someone because of the results: if it has probability <b>{baselineWords(baseline.value)}</b> without their
        data, then with their data it has probability <b class="probability">{likely === undefined ? '…' : outcomeWords(baseline.value, likely)}</b>
        {likely === undefined || likely >= 1 ? '.' : <span>: {roundedUp(likely / baseline.value, 3)} times as likely.</span>}
      </p>
      <label for="baseline" class="small">
        Probability without their data
      </label>
      <input
        id="baseline"
        type="range"
        min={0}
        max={1000}
        value={placeOf(baseline.value, range)}
        aria-valuetext={baselineWords(baseline.value)}
        onInput={(event) => (baseline.value = Number(movedTo(Number(event.currentTarget.value), baseline.value, range)))}
      />
      <OtherOdds />
    </section>
  );
}
