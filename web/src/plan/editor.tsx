// The plan editor: a list of steps, each from the catalogue, with import and export of plan files.
import { useEffect } from 'preact/hooks';
import { moveFocus } from '../app/focus';
import type { Step } from '../whatif/configuration';
import { change, configuration, notice } from '../whatif/state';
import { catalogue, exampleOf, loadCatalogue } from './catalogue';
import { editable } from './editable';
import { readPlan } from './plan_file';
import { StepEditor } from './step';

function replace(steps: Step[], index: number, ...by: Step[]): void {
  change({ steps: [...steps.slice(0, index), ...by, ...steps.slice(index + 1)] });
}

function AddStep({ steps }: { steps: Step[] }) {
  const all = catalogue.value;
  const add = (value: string) => {
    if (!all || !value) return;
    const mechanism = all.mechanisms.find(({ kind }) => kind === value);
    const form = all.forms.find(({ key }) => `form ${key}` === value);
    const step = mechanism ? exampleOf(mechanism) : form ? editable(form.example) : undefined;
    if (!step) return;
    change({ steps: [...steps, step] });
    moveFocus(`#field-${steps.length}-count, #field-${steps.length}-form`);
  };
  return (
    <div class="field">
      <label for="add-step">Add a step</label>
      <select
        id="add-step"
        value=""
        disabled={!all}
        onChange={(event) => {
          add(event.currentTarget.value);
          event.currentTarget.value = '';
        }}
      >
        <option value="">choose a mechanism …</option>
        <optgroup label="Mechanisms">
          {all?.mechanisms.map(({ kind, summary }) => (
            <option value={kind}>
              {kind}: {summary}
            </option>
          ))}
        </optgroup>
        <optgroup label="Forms, as JSON">
          {all?.forms.map(({ key, summary }) => (
            <option value={`form ${key}`}>
              {key}: {summary}
            </option>
          ))}
        </optgroup>
      </select>
    </div>
  );
}

async function importPlan(file: File | undefined): Promise<void> {
  if (!file) return;
  const read = readPlan(await file.text());
  if ('fault' in read) {
    notice.value = { text: `${file.name}: ${read.fault}`, tone: 'bad' };
    return;
  }
  change({ mode: 'plan', ...read });
  notice.value = { text: `${file.name}: ${read.steps.length} steps read.`, tone: 'plain' };
}

export function PlanEditor({ steps }: { steps: Step[] }) {
  useEffect(() => void loadCatalogue(), []);
  return (
    <section class="plan" aria-label="Steps of the plan">
      <ol>
        {steps.map((step, index) => (
          <StepEditor
            key={index}
            step={step}
            index={index}
            set={(part) => replace(configuration.value.steps, index, { ...step, ...part })}
            duplicate={() => replace(steps, index, step, step)}
            remove={() => {
              replace(steps, index);
              moveFocus('#add-step');
            }}
          />
        ))}
      </ol>
      {steps.length === 0 && <p class="help">No step: nothing is published, and nothing is spent.</p>}
      <AddStep steps={steps} />
      <label class="button import">
        Open a plan file
        <input
          type="file"
          accept=".json,application/json"
          onChange={(event) => {
            void importPlan(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
      </label>
    </section>
  );
}
