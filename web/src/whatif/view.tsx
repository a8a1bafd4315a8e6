// The view "What if": the controls on one side, everything that follows from them on the other.
import { Plot } from '../plots/plot';
import { Share } from '../share/share';
import { Results } from './compare';
import { Controls } from './controls';
import { attackerPlot, foundAmong, profilePlot, trainingPlot } from './figures';
import { OddsOfABadOutcome } from './outcome';
import { Bar, Spoken } from './result';
import { curves, logarithmic, notice } from './state';

function Notice() {
  const now = notice.value;
  return (
    <div class="notice-place" role="status" aria-live="polite">
      {now && (
        <div class={`notice ${now.tone}`}>
          <p>{now.text}</p>
          {now.use && (
            <button
              type="button"
              class="quiet"
              onClick={() => {
                now.use?.apply();
                notice.value = null;
              }}
            >
              {now.use.label}
            </button>
          )}
          <button type="button" class="quiet" aria-label="Dismiss" onClick={() => (notice.value = null)}>
            ×
          </button>
        </div>
      )}
    </div>
  );
}

function Attacker() {
  const one = foundAmong(0.01);
  return (
    <div class="attacker">
      <Plot name="attacker" shown={attackerPlot} old={curves.old} />
      <p class="caption">
        Someone guesses who is in the data, and may be as clever as they like.
        {one !== undefined && <> At 1 % false alarms they find at most <b>{one} %</b> of those who are.</>}{' '}
        <label class="check">
          <input type="checkbox" checked={logarithmic.value} onChange={(event) => (logarithmic.value = event.currentTarget.checked)} />
          logarithmic
        </label>
      </p>
    </div>
  );
}

export function WhatIf() {
  return (
    <div class="what-if">
      <Controls />
      <div class="outcome">
        <Notice />
        <Results />
        <Bar />
        <Spoken />
        <div class="plots">
          <Plot name="training" shown={trainingPlot} old={curves.old} />
          <Plot name="profile" shown={profilePlot} old={curves.old} />
          <Attacker />
          <OddsOfABadOutcome />
        </div>
        <Share />
      </div>
    </div>
  );
}
