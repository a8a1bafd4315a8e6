// What is asked about: a training run or a plan, with the relation, the unit and delta. Numbers are kept as the texts that
// were typed, so that nothing is lost while it is being edited.

export const schemes = [
  'poisson',
  'fixed-size',
  'with-replacement',
  'truncated-poisson',
  'shuffled',
  'random-allocation',
] as const;
export type Scheme = (typeof schemes)[number];

/** Under these schemes a record is used once an epoch, so that the length of a run is given in epochs only. */
export const countsEpochs = (scheme: Scheme): boolean => scheme === 'shuffled' || scheme === 'random-allocation';

export const relations = ['add-or-remove-one', 'replace-one', 'zero-out'] as const;
export type Relation = (typeof relations)[number];

export interface Run {
  dataset_size: string;
  batch_size: string;
  /** Which of the two is given; the other one is kept for when it is chosen again. */
  length: 'epochs' | 'steps';
  epochs: string;
  steps: string;
  noise_multiplier: string;
  sampling: Scheme;
  batch_limit: string;
}

export interface StepSampling {
  scheme: Scheme;
  values: Record<string, string>;
}

/** One step of a plan: a mechanism with its numbers and tables, or any other form as JSON. */
export interface Step {
  kind: string;
  values: Record<string, string>;
  tables: Record<string, string>;
  sampling: StepSampling | null;
  count: string;
  name: string;
  comment: string;
  /** The text of a group, a parallel step or a selection; empty for a mechanism. */
  form: string;
}

export interface Configuration {
  mode: 'run' | 'plan';
  run: Run;
  steps: Step[];
  delta: string;
  neighbors: Relation;
  unit: string;
}

export const mechanismStep = (kind: string, values: Record<string, string> = {}, more: Partial<Step> = {}): Step => ({
  kind,
  values,
  tables: {},
  sampling: null,
  count: '1',
  name: '',
  comment: '',
  form: '',
  ...more,
});

const readmeRun: Run = {
  dataset_size: '60000',
  batch_size: '256',
  length: 'epochs',
  epochs: '60',
  steps: '14063',
  noise_multiplier: '1.1',
  sampling: 'poisson',
  batch_limit: '320',
};

const tablesOfACensus: Step[] = [
  mechanismStep('discrete-gaussian', { stddev: '30', sensitivity: '1' }, { name: 'population of each block' }),
  mechanismStep('discrete-gaussian', { stddev: '20', sensitivity: '1' }, { name: 'age by sex', count: '2' }),
  mechanismStep('laplace', { scale: '40', l1_sensitivity: '1' }, { name: 'households by size' }),
  mechanismStep('report-noisy-max', { score_scale: '25', sensitivity: '1', monotonic: '1' }, { name: 'most common origin' }),
];

export const initial: Configuration = {
  mode: 'run',
  run: readmeRun,
  steps: tablesOfACensus,
  delta: '1e-5',
  neighbors: 'add-or-remove-one',
  unit: '1',
};

export interface Preset {
  name: string;
  summary: string;
  configuration: Configuration;
}

export const presets: Preset[] = [
  { name: 'Training', summary: '60,000 records, batches of 256, 60 epochs', configuration: initial },
  {
    name: 'Fine-tuning',
    summary: '100,000 records, batches of 1,024, 293 steps, little noise',
    configuration: {
      ...initial,
      run: {
        ...readmeRun,
        dataset_size: '100000',
        batch_size: '1024',
        length: 'steps',
        steps: '293',
        epochs: '3',
        noise_multiplier: '0.6',
        batch_limit: '1200',
      },
    },
  },
  {
    name: 'Census tables',
    summary: 'a plan of several tables with discrete noise',
    configuration: { ...initial, mode: 'plan', delta: '1e-10' },
  },
];
