// Keeps the figures of one configuration up to date: coarse ones while a slider moves, by one engine, and fine ones when it
// rests, by another, so that the newest position never waits for the fine figures of an older one.
import { signal } from '@preact/signals';
import type { Asker } from '../engine/asker';
import type { Figure } from './figure';

export type Quality = 'coarse' | 'fine';

/** A figure, or why there is none. */
export interface Answered {
  figure?: Figure;
  fault?: string;
}

/** Questions of the same key have the same answers. */
export interface Question {
  key: string;
  ask: (engine: Asker, quality: Quality) => Promise<Answered>;
}

/** So long must a position stay before its figures are refined. */
const rest = 160;

export class FigureKeeper<Name extends string> {
  readonly shown = signal<Partial<Record<Name, Answered>>>({});
  /** Whether what is shown belongs to an older position than the number. */
  readonly old = signal(false);
  private done: Partial<Record<Name, { key: string; quality: Quality }>> = {};
  private readonly running = { coarse: false, fine: false };
  private questions: Partial<Record<Name, Question>> = {};
  private rests = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly engines: Record<Quality, () => Asker>) {}

  show(questions: Partial<Record<Name, Question>>): void {
    this.questions = questions;
    this.rests = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.rests = true;
      void this.loop('fine');
    }, rest);
    if (this.names().length === 0) {
      this.shown.value = {};
      this.done = {};
    }
    this.old.value = this.missing('coarse') !== undefined;
    void this.loop('coarse');
  }

  private names(): Name[] {
    return Object.keys(this.questions) as Name[];
  }

  private missing(quality: Quality): Name | undefined {
    return this.names().find((name) => {
      const done = this.done[name];
      return done?.key !== this.questions[name]!.key || (quality === 'fine' && done.quality === 'coarse');
    });
  }

  private async loop(quality: Quality): Promise<void> {
    if (this.running[quality]) return;
    this.running[quality] = true;
    for (;;) {
      const name = this.missing(quality);
      if (name === undefined || (quality === 'fine' && !this.rests)) break;
      const question = this.questions[name]!;
      const answer = await question.ask(this.engines[quality](), quality);
      this.take(name, question, quality, answer);
    }
    this.running[quality] = false;
  }

  /** A coarse figure is shown even if the slider has moved on, so that curves follow a long drag; a fine one is not. */
  private take(name: Name, question: Question, quality: Quality, answer: Answered): void {
    const wanted = this.questions[name];
    if (!wanted) return;
    const before = this.done[name];
    const isNewest = wanted.key === question.key;
    if (!isNewest && (quality === 'fine' || before?.key === wanted.key)) return;
    // A fine figure stays, and a coarse one where a fine one is refused.
    const stays = before?.key === question.key && (before.quality === 'fine' || !answer.figure);
    if (!stays) this.shown.value = { ...this.shown.peek(), [name]: answer };
    if (isNewest && !(stays && quality === 'coarse')) this.done[name] = { key: question.key, quality };
    this.old.value = this.missing('coarse') !== undefined;
  }
}
