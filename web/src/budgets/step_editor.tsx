// One step, picked from the catalogue of the engine: its numbers, its tables, and how records are drawn for it.
import { useId } from 'preact/hooks';
import { catalogue, exampleOf, type Mechanism, type Parameter } from '../plan/catalogue';
import type { Scheme, Step } from '../whatif/configuration';
import { Entry, type Faults, Pick, Wrong } from './parts';

const readable = (name: string) => name.replace(/_/g, ' ').replace(/^l(\d) /, 'L$1 ').replace(/^\w/, (first) => first.toUpperCase());

const helpOf = ({ meaning, allowed, default: usual }: Parameter) => `${meaning}; ${allowed}${usual === undefined ? '' : `, ${usual} unless given`}`;

/** The numbers of a mechanism; one that an alias stands for is shown by the alias while that is what is given. */
function parametersOf(mechanism: Mechanism, step: Step): Parameter[] {
  const alias = mechanism.aliases.find(({ name }) => name in step.values);
  if (!alias) return mechanism.parameters;
  return mechanism.parameters
    .filter(({ name }) => name !== alias.excludes)
    .map((parameter) =>
      parameter.name === alias.parameter ? { ...parameter, name: alias.name, meaning: `${parameter.meaning}, as a multiple of the sensitivity` } : parameter,
    );
}

const usual: Record<string, string> = { rate: '0.01', dataset_size: '10000', batch_size: '100', batch_limit: '150', batches: '100', participations: '1' };

function Sampling({ step, set, faults }: { step: Step; set: (step: Step) => void; faults: Faults }) {
  const schemes = catalogue.value?.schemes ?? [];
  const chosen = schemes.find(({ scheme }) => scheme === step.sampling?.scheme);
  const choose = (scheme: string) => {
    const names = schemes.find((one) => one.scheme === scheme)?.parameters.map(({ name }) => name) ?? [];
    const values = Object.fromEntries(names.map((name) => [name, step.sampling?.values[name] ?? usual[name] ?? '1']));
    set({ ...step, sampling: scheme === '' ? null : { scheme: scheme as Scheme, values } });
  };
  return (
    <>
      <Pick
        label="Sampling"
        value={step.sampling?.scheme ?? ''}
        options={[['', 'none: on all records'], ...schemes.map(({ scheme, summary }): [string, string] => [scheme, `${scheme}: ${summary}`])]}
        set={choose}
        error={faults.at('steps[0].sampling') && !step.sampling ? faults.at('steps[0].sampling') : undefined}
      />
      {step.sampling &&
        chosen?.parameters.map((parameter) => (
          <Entry
            key={parameter.name}
            label={readable(parameter.name)}
            help={helpOf(parameter)}
            decimal
            value={step.sampling?.values[parameter.name] ?? ''}
            set={(text) => set({ ...step, sampling: { ...step.sampling!, values: { ...step.sampling!.values, [parameter.name]: text } } })}
            error={faults.at(`steps[0].sampling.${parameter.name}`)}
          />
        ))}
    </>
  );
}

function Table({ step, set, name, meaning, error }: { step: Step; set: (step: Step) => void; name: string; meaning: string; error?: string }) {
  const id = useId();
  return (
    <div class={error ? 'field wrong' : 'field'}>
      <label for={id}>{readable(name)}</label>
      <textarea
        id={id}
        rows={2}
        spellcheck={false}
        value={step.tables[name] ?? ''}
        aria-invalid={error ? 'true' : undefined}
        onInput={(event) => set({ ...step, tables: { ...step.tables, [name]: event.currentTarget.value } })}
      />
      <p class="help">{meaning}; an array, or an array of rows</p>
      <Wrong text={error} />
    </div>
  );
}

/** The paths of errors that have a field here. */
export function pathsOf(step: Step): string[] {
  const names = [...Object.keys(step.values), ...Object.keys(step.tables), 'mechanism', 'sampling'];
  return [...names.map((name) => `steps[0].${name}`), 'count', 'blocks'];
}

export function StepEditor({ step, set, faults }: { step: Step; set: (step: Step) => void; faults: Faults }) {
  const mechanisms = catalogue.value?.mechanisms ?? [];
  const mechanism = mechanisms.find(({ kind }) => kind === step.kind);
  return (
    <>
      <Pick
        label="Mechanism"
        value={step.kind}
        options={mechanisms.length === 0 ? [[step.kind, step.kind]] : mechanisms.map(({ kind, summary }): [string, string] => [kind, `${kind}: ${summary}`])}
        set={(kind) => {
          const next = mechanisms.find((one) => one.kind === kind);
          if (next) set(exampleOf(next));
        }}
        help={mechanism?.summary}
        error={faults.at('steps[0].mechanism')}
      />
      <div class="grid">
        {mechanism &&
          parametersOf(mechanism, step).map((parameter) => (
            <Entry
              key={`${step.kind} ${parameter.name}`}
              label={readable(parameter.name)}
              help={helpOf(parameter)}
              decimal
              value={step.values[parameter.name] ?? ''}
              set={(text) => set({ ...step, values: { ...step.values, [parameter.name]: text } })}
              error={faults.at(`steps[0].${parameter.name}`)}
            />
          ))}
        {mechanism?.tables.map((table) => (
          <Table key={table.name} step={step} set={set} name={table.name} meaning={table.meaning} error={faults.at(`steps[0].${table.name}`)} />
        ))}
      </div>
      {mechanism &&
        (typeof mechanism.sampling === 'object' ? (
          <p class="help">No sampling: {mechanism.sampling.unavailable}.</p>
        ) : (
          <Sampling step={step} set={set} faults={faults} />
        ))}
    </>
  );
}
