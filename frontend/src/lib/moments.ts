// The signature moments of both games, and the rules for playing them: what is silent, what is felt, what counts once.
// `sounds.ts` gives this file its browser, `synthesiser.ts` its sounds.

/** How each moment feels: the pattern for `navigator.vibrate` in milliseconds, or nothing. */
export const VIBRATIONS = {
  deal: [6, 40, 6],
  reveal: [8],
  play: [],
  flip: [8],
  pickUp: [30],
  clear: [12, 40, 12],
  giveAway: [20],
  safe: [30, 60, 30, 60, 90],
  turn: [60],
  call: [10],
  mySet: [18, 40, 28],
  theirSet: [8],
  pointLost: [70],
  refusal: [14, 30, 14],
  tick: [6],
  win: [30, 60, 30, 60, 120],
  loss: [120],
  best: [20, 40, 20, 40, 20],
} as const;

export type Moment = keyof typeof VIBRATIONS;
export const MOMENTS = Object.keys(VIBRATIONS) as Moment[];

/** `ask`: the player has not been asked yet, so it is silent. */
export type Volume = 'ask' | 'off' | 'quiet' | 'normal' | 'loud';
export const VOLUMES = ['off', 'quiet', 'normal', 'loud'] as const satisfies readonly Volume[];
/** A volume at which something is heard. */
export type Audible = Exclude<Volume, 'ask' | 'off'>;

export function isAudible(volume: Volume): volume is Audible {
  return gainOf(volume) > 0;
}

/** Amplitude of a volume. */
export function gainOf(volume: Volume): number {
  return { ask: 0, off: 0, quiet: 0.35, normal: 0.65, loud: 1 }[volume];
}

/** Moments that call a player who looks at another window. */
const HEARD_WHEN_HIDDEN = new Set<Moment>(['turn', 'tick']);
/** Two calls for the same moment within this time are one: several cards that land together sound once. */
export const TOGETHER_MS = 40;
/** A sound that is ready only after this time would come too late. */
export const LATE_MS = 500;
const REMEMBERED_EVENTS = 200;

export interface Sounds {
  play: (name: Moment, gain: number) => void;
}

/** What a player of moments needs of its browser. */
export interface Surroundings {
  volume: () => Volume;
  vibrates: () => boolean;
  /** Has the person tapped or pressed a key yet? Browsers forbid sound and vibration before that. */
  touched: () => boolean;
  hidden: () => boolean;
  now: () => number;
  vibrate: (pattern: readonly number[]) => void;
  load: () => Promise<Sounds>;
}

export class MomentPlayer {
  private readonly around: Surroundings;
  private sounds: Sounds | null = null;
  private loading: Promise<Sounds> | null = null;
  private readonly lastTimes = new Map<Moment, number>();
  private readonly events = new Set<string>();

  constructor(around: Surroundings) {
    this.around = around;
  }

  /** Loads the sounds, if they will be heard. */
  prepare(): void {
    if (gainOf(this.around.volume()) > 0) this.load().catch(() => undefined);
  }

  /** Plays a moment, once for each event; says whether it counted. */
  play(name: Moment, event?: string | number): boolean {
    const now = this.around.now();
    if (this.isRepeated(name, event, now)) return false;
    if (!this.around.touched() || (this.around.hidden() && !HEARD_WHEN_HIDDEN.has(name))) return false;
    const pattern = VIBRATIONS[name];
    if (this.around.vibrates() && pattern.length > 0 && !this.around.hidden()) this.around.vibrate(pattern);
    const gain = gainOf(this.around.volume());
    if (gain > 0) this.sound(name, gain, now);
    return true;
  }

  private isRepeated(name: Moment, event: string | number | undefined, now: number): boolean {
    if (event !== undefined) {
      const key = `${name} ${event}`;
      if (this.events.has(key)) return true;
      this.events.add(key);
      const [oldest] = this.events;
      if (this.events.size > REMEMBERED_EVENTS && oldest !== undefined) this.events.delete(oldest);
    }
    const last = this.lastTimes.get(name);
    if (last !== undefined && now - last < TOGETHER_MS) return true;
    this.lastTimes.set(name, now);
    return false;
  }

  private sound(name: Moment, gain: number, asked: number): void {
    if (this.sounds !== null) {
      this.sounds.play(name, gain);
      return;
    }
    this.load().then(
      (sounds) => {
        if (this.around.now() - asked < LATE_MS) sounds.play(name, gain);
      },
      () => undefined,
    );
  }

  /** Loads the sounds once. Without a connection the next moment tries again. */
  private load(): Promise<Sounds> {
    this.loading ??= this.around.load().then(
      (sounds) => (this.sounds = sounds),
      (problem: unknown) => {
        this.loading = null;
        throw problem;
      },
    );
    return this.loading;
  }
}
