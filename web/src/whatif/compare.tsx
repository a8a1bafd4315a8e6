// Two configurations side by side: A is kept, B is the one that the controls change.
import { Answer } from './result';
import { epsilonOf, pin, pinned, pinnedShown, shown, swap } from './state';
import { comparison, differences } from './words';

function Differences() {
  const a = pinnedShown.value;
  const b = shown.value;
  if (!a || !b) return null;
  const rows = differences(a.configuration, b.configuration);
  return (
    <div class="differences">
      <p>{a.cost && b.cost ? comparison(epsilonOf(a.cost), epsilonOf(b.cost)) : 'One of them has no answer.'}</p>
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">differs in</th>
              <th scope="col">A</th>
              <th scope="col">B</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr>
                <th scope="row">{row.name}</th>
                <td>{row.a}</td>
                <td>{row.b}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

export function Results() {
  const comparing = pinned.value !== null;
  return (
    <section class="card result" aria-labelledby="result-title">
      <header>
        <h2 id="result-title">{comparing ? 'A beside B' : 'It costs'}</h2>
        {comparing ? (
          <div class="buttons">
            <button type="button" class="quiet" onClick={swap}>
              swap
            </button>
            <button type="button" class="quiet" onClick={() => (pinned.value = null)}>
              stop comparing
            </button>
          </div>
        ) : (
          <button type="button" class="quiet" onClick={pin} title="Keep this configuration, and change a copy of it">
            compare with another
          </button>
        )}
      </header>
      <div class={comparing ? 'answers both' : 'answers'}>
        {comparing && (
          <div class="side pinned">
            <Answer of={pinnedShown.value} label="A, kept" />
          </div>
        )}
        <div class="side current" id="answer">
          <Answer of={shown.value} label={comparing ? 'B, as the controls say' : 'Privacy loss of this'} />
        </div>
      </div>
      {comparing && <Differences />}
    </section>
  );
}
