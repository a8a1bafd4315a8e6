// The state of the view and what follows from it: every change is asked about at once, and the latest position wins.
import { computed, effect, signal } from '@preact/signals';
import { type Cost, type EngineError, exactOf, numberOf, renyiOf } from '../engine/answers';
import { figureEngines, numberEngine } from '../engine/engines';
import { FigureKeeper } from '../plots/keeper';
import { type Configuration, initial, type Run } from './configuration';
import { type Name, questionsOf } from './questions';
import { epsilonRequest, fieldOfPath } from './request';

export interface Shown {
  /** The request that the number answers, as text: the position that it belongs to. */
  key: string;
  configuration: Configuration;
  cost?: Cost;
  error?: EngineError;
}

export const configuration = signal<Configuration>(initial);
/** The configuration that the current one is compared with. */
export const pinned = signal<Configuration | null>(null);
export const target = signal('1');
export const baseline = signal(0.001);
/** What happened last and is worth a sentence: a solution, a fault in a link, a copy. */
export const notice = signal<{ text: string; tone: 'plain' | 'bad'; use?: { label: string; apply: () => void } } | null>(null);

export const shown = signal<Shown | undefined>(undefined);
export const pinnedShown = signal<Shown | undefined>(undefined);

/** Whether the attacker's curve has logarithmic scales, which show what is found at few false alarms. */
export const logarithmic = signal(false);
export const curves = new FigureKeeper<Name>(figureEngines);
export const pinnedCurves = new FigureKeeper<Name>(figureEngines);

/** Upper end of epsilon: the exact one where there is one, else the Rényi bound. */
export function epsilonOf(cost: Cost): number {
  const exact = exactOf(cost);
  return exact ? numberOf(exact.upper) : numberOf(renyiOf(cost)?.epsilon);
}

async function ask(channel: string, subject: Configuration): Promise<Shown | undefined> {
  const request = epsilonRequest(subject);
  const answer = await numberEngine.latest<Cost>(channel, request);
  if (!answer) return undefined;
  const key = JSON.stringify(request);
  return answer.error
    ? { key, configuration: subject, error: answer.error }
    : { key, configuration: subject, cost: answer };
}

function questions(of: Shown | undefined): Partial<ReturnType<typeof questionsOf>> {
  return of?.cost ? questionsOf(of.configuration, of.cost.run?.steps ?? 1, logarithmic.value) : {};
}

/** Begins to answer; called once, after the link has been read. */
export function start(): void {
  effect(() => {
    void ask('current', configuration.value).then((result) => {
      if (result) shown.value = result;
    });
  });
  effect(() => {
    const subject = pinned.value;
    if (!subject) {
      pinnedShown.value = undefined;
      return;
    }
    void ask('pinned', subject).then((result) => {
      if (!result || pinned.peek() !== subject) return;
      pinnedShown.value = result;
    });
  });
  effect(() => curves.show(questions(shown.value)));
  effect(() => {
    const { outcomes: _outcomes, ...drawn } = questions(pinnedShown.value);
    pinnedCurves.show(drawn);
  });
}

/** The error of the engine, by the field that it is about. */
export const fault = computed<{ field: string | undefined; message: string } | undefined>(() => {
  const error = shown.value?.error;
  if (!error) return undefined;
  const field = fieldOfPath(error.path, shown.value!.configuration);
  const message = error.path && error.message.startsWith(`${error.path}: `) ? error.message.slice(error.path.length + 2) : error.message;
  return { field, message };
});

export function change(part: Partial<Configuration>): void {
  configuration.value = { ...configuration.value, ...part };
}

export function changeRun(part: Partial<Run>): void {
  change({ run: { ...configuration.value.run, ...part } });
}

/** Keeps a copy of the current configuration to compare with. */
export function pin(): void {
  pinned.value = configuration.value;
}

export function swap(): void {
  const other = pinned.value;
  if (!other) return;
  pinned.value = configuration.value;
  configuration.value = other;
}
