// Keeps the curves of one configuration up to date. The newest position always comes next; a coarse pass is finished even if
// the slider has moved on, so that curves follow a long drag, and a fine one is given up.
import { signal } from '@preact/signals';
import type { Asker } from '../engine/asker';
import type { Configuration } from '../whatif/configuration';
import { askProfile, askTraining, type Level, type Profile, type Training } from './curves';

export interface Position {
  key: string;
  configuration: Configuration;
  /** Upper end of epsilon, and the steps of the run, as the number's answer states them. */
  epsilon: number;
  steps: number;
}

type Kind = 'training' | 'profile';
const kinds: Kind[] = ['training', 'profile'];

/** So long must a position stay before its curves are refined. */
const rest = 160;

export class CurveKeeper {
  readonly training = signal<Training | undefined>(undefined);
  readonly profile = signal<Profile | undefined>(undefined);
  /** Whether what is drawn belongs to an older position than the number. */
  readonly old = signal(false);

  private position: Position | undefined;
  private since = 0;
  private running = false;
  private readonly done: Record<Kind, string> = { training: '', profile: '' };

  constructor(private readonly engine: () => Asker) {}

  show(position: Position | undefined): void {
    if (position?.key === this.position?.key) return;
    this.position = position;
    this.since = performance.now();
    if (!position) {
      this.training.value = this.profile.value = undefined;
      this.old.value = false;
      return;
    }
    this.old.value = true;
    if (!this.running) void this.loop();
  }

  private async loop(): Promise<void> {
    this.running = true;
    for (;;) {
      const position = this.position;
      if (!position) break;
      const missing = (level: Level) => kinds.find((kind) => !this.has(kind, position.key, level));
      const coarse = missing('coarse');
      if (coarse) {
        await this.compute(coarse, position, 'coarse');
        continue;
      }
      this.old.value = false;
      const left = rest - (performance.now() - this.since);
      if (left > 0) {
        await new Promise((resolve) => setTimeout(resolve, left));
        continue;
      }
      const fine = missing('fine');
      if (!fine) break;
      await this.compute(fine, position, 'fine');
    }
    this.running = false;
  }

  private has(kind: Kind, key: string, level: Level): boolean {
    return this.done[kind] === `fine ${key}` || (level === 'coarse' && this.done[kind] === `coarse ${key}`);
  }

  private async compute(kind: Kind, position: Position, level: Level): Promise<void> {
    const wanted = () => level === 'coarse' || this.position === position;
    const { configuration, epsilon, steps } = position;
    if (kind === 'training') {
      const training = await askTraining(this.engine(), configuration, steps, level, wanted);
      if (this.position && (training || this.position === position)) this.training.value = training;
    } else {
      const profile = await askProfile(this.engine(), configuration, epsilon, level, wanted);
      if (this.position && (profile || this.position === position)) this.profile.value = profile;
    }
    // A pass that was given up, or that the engine refused, is not tried again for the same position.
    this.done[kind] = `${level} ${position.key}`;
  }
}
