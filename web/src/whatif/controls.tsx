// The controls: a training run by its sizes or a plan, and what holds for both.
import { PlanEditor } from '../plan/editor';
import { Choice } from './choice';
import { type Configuration, countsEpochs, presets, relations, type Relation, schemes, type Scheme } from './configuration';
import { Field } from './field';
import { epsilonRequest } from './request';
import type { Range } from './slider';
import { change, changeRun, configuration, target } from './state';

const ranges = {
  dataset_size: { low: 100, high: 1e8, log: true, whole: true },
  batch_size: { low: 1, high: 1e5, log: true, whole: true },
  batch_limit: { low: 1, high: 1e5, log: true, whole: true },
  epochs: { low: 1, high: 1000, log: true, whole: false },
  steps: { low: 1, high: 1e6, log: true, whole: true },
  noise_multiplier: { low: 0.3, high: 30, log: true, whole: false },
  delta: { low: 1e-12, high: 1e-2, log: true, whole: false },
  unit: { low: 1, high: 64, log: true, whole: true },
  target: { low: 0.05, high: 20, log: true, whole: false },
} satisfies Record<string, Range>;

const schemeWords: Record<Scheme, string> = {
  poisson: 'Poisson: each record by itself, with the same probability',
  'fixed-size': 'Fixed size: so many different records, all choices equally likely',
  'with-replacement': 'With replacement: independent draws',
  'truncated-poisson': 'Truncated Poisson: Poisson with a limit on the batch',
  shuffled: 'Shuffled: all records in random order, cut into batches',
  'random-allocation': 'Random allocation: each record in one batch of each epoch',
};

export const relationWords: Record<Relation, string> = {
  'add-or-remove-one': 'Add or remove one record',
  'replace-one': 'Replace one record by another',
  'zero-out': 'Zero out: replace one record by an empty one',
};

function RunControls({ of }: { of: Configuration }) {
  const { run } = of;
  const number = (field: 'dataset_size' | 'batch_size' | 'noise_multiplier' | 'batch_limit', label: string, help?: string) => (
    <Field
      field={field}
      label={label}
      help={help}
      value={run[field]}
      range={ranges[field]}
      set={(text) => changeRun({ [field]: text })}
      path={field === 'batch_limit' ? undefined : `run.${field}`}
    />
  );
  return (
    <>
      {number('dataset_size', 'Dataset size')}
      {number('batch_size', run.sampling.endsWith('poisson') ? 'Expected batch size' : 'Batch size')}
      <div class="length">
        <Field
          field="length"
          label={run.length === 'epochs' ? 'Epochs' : 'Steps'}
          value={run[run.length]}
          range={ranges[run.length]}
          set={(text) => changeRun({ [run.length]: text })}
          path={`run.${run.length}`}
        />
        {(run.length === 'steps' || !countsEpochs(run.sampling)) && (
          <button
            type="button"
            class="link switch"
            aria-label={run.length === 'epochs' ? 'Give steps instead of epochs' : 'Give epochs instead of steps'}
            onClick={() => changeRun({ length: run.length === 'epochs' ? 'steps' : 'epochs' })}
          >
            {run.length === 'epochs' ? 'or steps' : 'or epochs'}
          </button>
        )}
      </div>
      {number('noise_multiplier', 'Noise multiplier')}
      <Choice
        field="sampling"
        label="Sampling"
        value={run.sampling}
        options={schemes.map((scheme) => [scheme, schemeWords[scheme]])}
        set={(scheme) => changeRun({ sampling: scheme as Scheme, length: countsEpochs(scheme as Scheme) ? 'epochs' : run.length })}
      />
      {run.sampling === 'truncated-poisson' && number('batch_limit', 'Batch limit', 'The most records that a step can take.')}
    </>
  );
}

function Presets() {
  return (
    <div class="presets" role="group" aria-label="Examples">
      {presets.map((preset) => (
        <button type="button" class="chip" title={preset.summary} onClick={() => (configuration.value = preset.configuration)}>
          {preset.name}
        </button>
      ))}
    </div>
  );
}

export function Controls() {
  const of = configuration.value;
  const mode = (value: Configuration['mode'], label: string) => (
    <button type="button" aria-pressed={of.mode === value} onClick={() => change({ mode: value })}>
      {label}
    </button>
  );
  return (
    <section class="controls" aria-label="What is run" data-position={JSON.stringify(epsilonRequest(of))}>
      <Presets />
      <div class="segments" role="group" aria-label="Described as">
        {mode('run', 'Training run')}
        {mode('plan', 'Plan')}
      </div>
      {of.mode === 'run' ? <RunControls of={of} /> : <PlanEditor steps={of.steps} />}
      <Field field="delta" label="Delta" value={of.delta} range={ranges.delta} set={(text) => change({ delta: text })} path="delta" />
      <Choice
        field="neighbors"
        label="Neighbouring datasets"
        value={of.neighbors}
        options={relations.map((relation) => [relation, relationWords[relation]])}
        set={(relation) => change({ neighbors: relation as Relation })}
      />
      <Field
        field="unit"
        label="Records per person"
        value={of.unit}
        range={ranges.unit}
        set={(text) => change({ unit: text })}
        path="unit"
      />
      <div class="target">
        <Field
          field="target"
          label="Target epsilon"
          help="What “solve” beside a number aims for."
          value={target.value}
          range={ranges.target}
          set={(text) => (target.value = text)}
        />
      </div>
    </section>
  );
}
