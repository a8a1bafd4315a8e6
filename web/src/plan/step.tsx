// One step of the plan: the numbers and tables of its mechanism, how records are drawn for it, and how often it runs.
import { Choice } from '../whatif/choice';
import type { Scheme, Step } from '../whatif/configuration';
import { Field } from '../whatif/field';
import { fault } from '../whatif/state';
import { catalogue, type Mechanism, type Parameter } from './catalogue';

interface StepProps {
  step: Step;
  index: number;
  set: (part: Partial<Step>) => void;
  duplicate: () => void;
  remove: () => void;
}

const readable = (name: string) => name.replace(/_/g, ' ').replace(/^l(\d) /, 'L$1 ').replace(/^\w/, (first) => first.toUpperCase());

const help = ({ meaning, allowed, default: usual, may_be_left_out }: Parameter) =>
  `${meaning}; ${allowed}${usual !== undefined ? `, ${usual} unless given` : may_be_left_out ? ', may be left out' : ''}`;

/** The numbers of a mechanism; one that an alias stands for is shown by the alias while that is what is given. */
function parametersOf(mechanism: Mechanism, step: Step): Parameter[] {
  const alias = mechanism.aliases.find(({ name }) => name in step.values);
  if (!alias) return mechanism.parameters;
  return mechanism.parameters
    .filter(({ name }) => name !== alias.excludes)
    .map((parameter) =>
      parameter.name === alias.parameter
        ? { ...parameter, name: alias.name, meaning: `${parameter.meaning}, as a multiple of the sensitivity` }
        : parameter,
    );
}

function TextArea({ field, label, value, hint, set }: { field: string; label: string; value: string; hint?: string; set: (text: string) => void }) {
  const id = `field-${field.replace(/[^\w-]/g, '-')}`;
  const wrong = fault.value?.field === field ? fault.value.message : undefined;
  return (
    <div class={wrong ? 'field wrong' : 'field'} data-field={field}>
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={3}
        spellcheck={false}
        value={value}
        aria-invalid={wrong ? 'true' : undefined}
        aria-describedby={`${hint ? `${id}-help ` : ''}${wrong ? `${id}-error` : ''}`.trim() || undefined}
        onInput={(event) => set(event.currentTarget.value)}
      />
      {hint && (
        <p class="help" id={`${id}-help`}>
          {hint}
        </p>
      )}
      {wrong && (
        <p class="error" id={`${id}-error`} role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}

function Sampling({ step, index, set }: Pick<StepProps, 'step' | 'index' | 'set'>) {
  const all = catalogue.value;
  const entry = all?.schemes.find(({ scheme }) => scheme === step.sampling?.scheme);
  const choose = (scheme: string) => {
    if (scheme === '') return set({ sampling: null });
    const usual: Record<string, string> = { rate: '0.01', dataset_size: '10000', batch_size: '100', batch_limit: '150', batches: '100', participations: '1' };
    const names = all?.schemes.find((other) => other.scheme === scheme)?.parameters.map(({ name }) => name) ?? [];
    const values = Object.fromEntries(names.map((name) => [name, step.sampling?.values[name] ?? usual[name] ?? '1']));
    set({ sampling: { scheme: scheme as Scheme, values } });
  };
  return (
    <>
      <Choice
        field={`${index}.sampling`}
        label="Sampling"
        value={step.sampling?.scheme ?? ''}
        options={[['', 'none: on all records'], ...(all?.schemes.map(({ scheme, summary }): [string, string] => [scheme, `${scheme}: ${summary}`]) ?? [])]}
        set={choose}
      />
      {step.sampling &&
        entry?.parameters.map((parameter) => (
          <Field
            key={parameter.name}
            field={`${index}.sampling.${parameter.name}`}
            label={readable(parameter.name)}
            help={help(parameter)}
            value={step.sampling?.values[parameter.name] ?? ''}
            set={(text) => set({ sampling: { ...step.sampling!, values: { ...step.sampling!.values, [parameter.name]: text } } })}
            path={`steps[${index}].sampling.${parameter.name}`}
          />
        ))}
    </>
  );
}

export function StepEditor({ step, index, set, duplicate, remove }: StepProps) {
  const mechanism = catalogue.value?.mechanisms.find(({ kind }) => kind === step.kind);
  const wrong = fault.value?.field === `${index}.kind` ? fault.value.message : undefined;
  const title = step.form ? 'a form' : step.kind;
  const refusal = mechanism && typeof mechanism.sampling === 'object' ? mechanism.sampling.unavailable : undefined;
  return (
    <li class="step" aria-label={`Step ${index + 1}: ${title}`}>
      <header>
        <h3>
          <span class="number">{index + 1}</span> {title}
        </h3>
        <button type="button" class="quiet" onClick={duplicate} aria-label={`Duplicate step ${index + 1}`}>
          copy
        </button>
        <button type="button" class="quiet" onClick={remove} aria-label={`Remove step ${index + 1}`}>
          remove
        </button>
      </header>
      {mechanism && <p class="help">{mechanism.summary}</p>}
      {wrong && (
        <p class="error" role="alert">
          {wrong}
        </p>
      )}
      <Field field={`${index}.name`} label="Name" words value={step.name} set={(name) => set({ name })} />
      {step.form ? (
        <TextArea field={`${index}.form`} label="Content" hint="A step as in a plan file." value={step.form} set={(form) => set({ form: form || ' ' })} />
      ) : (
        <div class="numbers">
          {mechanism &&
            parametersOf(mechanism, step).map((parameter) => (
              <Field
                key={parameter.name}
                field={`${index}.${parameter.name}`}
                label={readable(parameter.name)}
                help={help(parameter)}
                value={step.values[parameter.name] ?? ''}
                set={(text) => set({ values: { ...step.values, [parameter.name]: text } })}
                path={`steps[${index}].${parameter.name}`}
              />
            ))}
          {mechanism?.tables.map((table) => (
            <TextArea
              key={table.name}
              field={`${index}.${table.name}`}
              label={readable(table.name)}
              hint={`${table.meaning}; an array, or an array of rows`}
              value={step.tables[table.name] ?? ''}
              set={(text) => set({ tables: { ...step.tables, [table.name]: text } })}
            />
          ))}
          <Field field={`${index}.count`} label="Count" help="how often it runs" value={step.count} set={(count) => set({ count })} path={`steps[${index}].count`} />
        </div>
      )}
      {mechanism && !step.form && (refusal ? <p class="help">No sampling: {refusal}.</p> : <Sampling step={step} index={index} set={set} />)}
    </li>
  );
}
