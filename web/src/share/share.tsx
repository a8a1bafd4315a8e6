// Everything that leaves the page: a link, the plan, the statement, and the lines that give the same answer elsewhere.
import { useSignal } from '@preact/signals';
import type { Statement } from '../engine/answers';
import { clickEngine } from '../engine/engines';
import { configuration, notice } from '../whatif/state';
import { epsilonRequest } from '../whatif/request';
import { commandOf, pythonOf } from './command';
import { copyText, download } from './download';

async function copy(text: string, what: string): Promise<void> {
  notice.value = (await copyText(text))
    ? { text: `${what} copied.`, tone: 'plain' }
    : { text: `${what} could not be copied; select it and copy it by hand.`, tone: 'bad' };
}

/** The statement as the engine writes it, which also has the plan that was analysed. */
async function askStatement(): Promise<Statement | undefined> {
  const { op: _op, ...subject } = epsilonRequest(configuration.value);
  const request = { op: 'report', ...subject, formats: ['markdown', 'html'], time_limit: 20 };
  const answer = await clickEngine().ask<Statement>(request);
  if (!answer.error) return answer;
  notice.value = { text: `The statement: ${answer.error.message}`, tone: 'bad' };
  return undefined;
}

function Line({ label, text }: { label: string; text: string }) {
  return (
    <div class="line">
      <h4>{label}</h4>
      <pre tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
      <button type="button" class="quiet" aria-label={`Copy: ${label}`} onClick={() => void copy(text, label)}>
        copy
      </button>
    </div>
  );
}

export function Share() {
  const busy = useSignal(false);
  const save = async (format: 'markdown' | 'html' | 'plan') => {
    busy.value = true;
    const statement = await askStatement();
    busy.value = false;
    if (!statement) return;
    if (format === 'plan') download('plan.json', `${JSON.stringify(statement.plan)}\n`, 'application/json');
    if (format === 'markdown') download('PRIVACY.md', statement.markdown, 'text/markdown');
    if (format === 'html') download('privacy.html', statement.html, 'text/html');
  };
  const button = (format: 'markdown' | 'html' | 'plan', label: string) => (
    <button type="button" disabled={busy.value} onClick={() => void save(format)}>
      {label}
    </button>
  );
  return (
    <section class="card share" aria-labelledby="share-title">
      <h2 id="share-title">Take it with you</h2>
      <div class="buttons">
        <button type="button" class="main" onClick={() => void copy(location.href, 'The link')}>
          Copy link
        </button>
        {button('plan', 'Plan file')}
        {button('markdown', 'Statement (Markdown)')}
        {button('html', 'Statement (HTML)')}
      </div>
      <Line label="The same answer on the command line" text={commandOf(configuration.value)} />
      <Line label="The same answer in Python" text={pythonOf(configuration.value)} />
      <p class="help">The link holds everything in its fragment, which no server sees.</p>
    </section>
  );
}
