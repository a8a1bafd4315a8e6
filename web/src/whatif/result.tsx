// The answer: epsilon in large digits, what kind of number it is, and everything that belongs to it.
import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Cost, type Exact, exactOf, isUnavailable, numberOf, renyiOf } from '../engine/answers';
import { grouped, nearest, roundedDown, roundedUp } from '../app/numbers';
import { fieldOfPath } from './request';
import { epsilonOf, fault, type Shown, shown } from './state';

/** What the number is exact for, in few words. */
export function standingOf(cost: Cost): { short: string; long: string } {
  const exact = exactOf(cost);
  if (!exact) return { short: 'upper bound', long: 'The Rényi bound: there is no exact figure for this plan.' };
  if (exact.engine === 'bounds') return { short: 'upper bound', long: 'No exact interval: both ends are sound, and wide.' };
  if (exact.standing === 'dominated') {
    return { short: 'upper bound, dominating pair', long: 'Exact for a pair of laws that dominates what is run, which may cost less.' };
  }
  if (exact.standing === 'promised') {
    return { short: 'exact for the promise', long: 'Exact for the worst step with the guarantee that is given; what is run may cost less.' };
  }
  return { short: 'exact, rounded up', long: 'No smaller epsilon holds for this run.' };
}

const range = (exact: { lower: number | 'inf'; upper: number | 'inf' }) =>
  `${roundedDown(numberOf(exact.lower))} to ${roundedUp(numberOf(exact.upper))}`;

function Details({ cost }: { cost: Cost }) {
  const exact = exactOf(cost);
  const renyi = renyiOf(cost);
  const width = exact ? numberOf(exact.upper) - numberOf(exact.lower) : NaN;
  return (
    <dl class="details">
      <div>
        <dt>Rényi bound</dt>
        <dd>{renyi ? `${roundedUp(numberOf(renyi.epsilon))} at order ${renyi.order === 'inf' ? '∞' : nearest(renyi.order, 4)}` : reason(cost.renyi)}</dd>
      </div>
      <div>
        <dt>Interval</dt>
        <dd>
          {exact ? range(exact) : reason(cost.exact)}
          {width > 0 && <span class="width">, {roundedUp(width, 1)} wide</span>}
        </dd>
      </div>
      {exact && <Directions exact={exact} />}
      {cost.run?.steps != null && (
        <div>
          <dt>Steps counted</dt>
          <dd>{grouped(cost.run.steps)}</dd>
        </div>
      )}
    </dl>
  );
}

const reason = (part: object | undefined) =>
  part && isUnavailable(part) && 'unavailable' in part ? `none: ${part.unavailable}` : 'none';

function Directions({ exact }: { exact: Exact }) {
  return (
    <div>
      <dt>Removing, adding</dt>
      <dd>
        {roundedUp(numberOf(exact.remove.upper))}, {roundedUp(numberOf(exact.add.upper))}
      </dd>
    </div>
  );
}

function Notes({ cost }: { cost: Cost }) {
  const texts = [cost.note, cost.assumes && `This assumes: ${cost.assumes}`, cost.limit].filter((text): text is string => Boolean(text));
  const overflow = cost.sampling?.[0]?.overflow_probability;
  return (
    <div class="notes">
      {cost.warnings?.map(({ kind, message }) => (
        <p class={kind === 'large-delta' ? 'warning' : 'hint'}>{message}</p>
      ))}
      {texts.map((text) => (
        <p class="hint">{text.replace(/^\w/, (first) => first.toUpperCase())}.</p>
      ))}
      {overflow !== undefined && (
        <p class="hint">The batch of a step is full with probability at most {roundedUp(overflow, 3)}; what that costs is in the figures.</p>
      )}
      {cost.under_poisson?.epsilon_estimate !== undefined && (
        <p class="hint">Drawn by Poisson sampling instead, it would be about {nearest(cost.under_poisson.epsilon_estimate, 6)}.</p>
      )}
      {cost.run && cost.run.rules.length > 0 && (
        <details>
          <summary>How steps were counted</summary>
          <ul>
            {cost.run.rules.map((rule) => (
              <li>{rule}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

export function Answer({ of, label }: { of: Shown | undefined; label: string }) {
  const cost = of?.cost;
  const standing = cost && standingOf(cost);
  return (
    <div class="answer">
      <p class="what">{label}</p>
      <p class="number">
        <span class="symbol" aria-hidden="true">
          ε
        </span>{' '}
        <output data-position={of?.key}>{cost ? roundedUp(epsilonOf(cost)) : of ? '–' : '…'}</output>
        {standing && (
          <span class={`standing ${standing.short.startsWith('exact') ? 'exact' : 'bound'}`} title={standing.long}>
            {standing.short}
          </span>
        )}
      </p>
      {cost && <p class="at">at delta {of.configuration.delta}</p>}
      {of?.error && (
        <p class="refusal">
          {fieldOfPath(of.error.path, of.configuration) ? 'There is no answer: see the field that is marked.' : `There is no answer: ${of.error.message}`}
        </p>
      )}
      {cost && <Details cost={cost} />}
      {cost && <Notes cost={cost} />}
    </div>
  );
}

/** The number by itself, for narrow screens: there while the answer is out of sight. */
export function Bar() {
  const away = useSignal(false);
  useEffect(() => {
    const answer = document.getElementById('answer');
    if (!answer) return undefined;
    const observer = new IntersectionObserver(([entry]) => (away.value = entry !== undefined && !entry.isIntersecting));
    observer.observe(answer);
    return () => observer.disconnect();
  }, []);
  const cost = shown.value?.cost;
  return (
    <p class={away.value ? 'bar away' : 'bar'} aria-hidden="true">
      <i>ε</i> <b>{cost ? roundedUp(epsilonOf(cost)) : '–'}</b> {cost && `at delta ${shown.value?.configuration.delta}`}
    </p>
  );
}

/** Says the result to screen readers when it has been still for a moment, so that a moving slider does not chatter. */
export function Spoken() {
  const text = useSignal('');
  useSignalEffect(() => {
    const now = shown.value;
    const wrong = fault.value;
    const timer = setTimeout(() => {
      if (now?.cost) text.value = `Epsilon ${roundedUp(epsilonOf(now.cost))} at delta ${now.configuration.delta}, ${standingOf(now.cost).short}.`;
      else if (wrong) text.value = `No answer: ${wrong.message}`;
    }, 700);
    return () => clearTimeout(timer);
  });
  return (
    <p class="off-screen" role="status" aria-live="polite">
      {text}
    </p>
  );
}
