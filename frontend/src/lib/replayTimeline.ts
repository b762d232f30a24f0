// Timeline of a finished game. The server sends the first View and the change of each move; this module rebuilds all
// Views.

import type { ReplayStep, Timeline } from '../generated/protocol.ts';
import type { GameEvent, GameView } from '../generated/games.ts';

type Change =
  | readonly ['is', unknown]
  | readonly ['in', { readonly [part: string]: Change }]
  | readonly ['keep', number, readonly unknown[]]
  | readonly ['gone'];

/** Applies a change to a value; unchanged parts are shared. Inverse of `difference` in threefold/live/replay.py. */
export function applyChange(value: unknown, change: unknown): unknown {
  if (change === null || change === undefined) return value;
  const [kind, what, rest] = change as [string, unknown, unknown[]];
  if (kind === 'is') return what;
  if (kind === 'keep') return [...(value as unknown[]).slice(0, what as number), ...rest];
  const parts = what as { [part: string]: Change };
  if (Array.isArray(value)) {
    const next = [...(value as unknown[])];
    for (const [i, each] of Object.entries(parts)) next[Number(i)] = applyChange(next[Number(i)], each);
    return next;
  }
  const next: { [name: string]: unknown } = { ...(value as object) };
  for (const [name, each] of Object.entries(parts)) {
    if (each[0] === 'gone') Reflect.deleteProperty(next, name);
    else next[name] = applyChange(next[name], each);
  }
  return next;
}

/** Jump targets: a name, and the events it stands for. */
export type Marks = { readonly [mark: string]: readonly GameEvent['event'][] };

export class ReplayTimeline {
  readonly steps: readonly ReplayStep[];
  private readonly views: GameView[];
  private readonly targets: Marks;

  constructor(timeline: Timeline, targets: Marks) {
    this.targets = targets;
    this.steps = timeline.steps;
    this.views = [timeline.first];
  }

  /** Number of moves; frame 0 is the position before the first. */
  get length(): number {
    return this.steps.length;
  }

  /** The View of a frame. */
  view(frame: number): GameView {
    while (this.views.length <= frame) {
      const at = this.views.length;
      this.views.push(applyChange(this.views[at - 1], this.steps[at - 1]?.change) as GameView);
    }
    return this.views[frame] as GameView;
  }

  /** The events of the move that led to a frame. */
  events(frame: number): GameEvent[] {
    return this.steps[frame - 1]?.events ?? [];
  }

  /** The frame in which a turn ends: the next one begins in it. The first turn is 1. */
  endOfTurn(turn: number): number {
    let began = 0;
    const at = this.steps.findIndex(({ events }) => {
      began += events.filter((each) => each.event === 'turn_began').length;
      return began > turn;
    });
    return at < 0 ? this.length : at + 1;
  }

  /** The game clock at a frame; 0 in games without a clock. */
  time(frame: number): number {
    return this.steps[frame - 1]?.at ?? 0;
  }

  /** The jump targets that occur in this game. */
  get marks(): string[] {
    return Object.entries(this.targets)
      .filter(([, events]) => this.steps.some((step) => hasEvent(step, events)))
      .map(([mark]) => mark);
  }

  marksOf(frame: number): string[] {
    const step = this.steps[frame - 1];
    return step === undefined
      ? []
      : Object.entries(this.targets)
          .filter(([, events]) => hasEvent(step, events))
          .map(([mark]) => mark);
  }

  /** All frames with this mark. */
  framesWith(mark: string): number[] {
    const events = this.targets[mark] ?? [];
    return this.steps.flatMap((step, i) => (hasEvent(step, events) ? [i + 1] : []));
  }

  /** The next frame with this mark in a direction; null if there is none. */
  find(mark: string, from: number, direction: 1 | -1): number | null {
    const events = this.targets[mark] ?? [];
    for (let frame = from + direction; frame >= 1 && frame <= this.length; frame += direction) {
      const step = this.steps[frame - 1];
      if (step && hasEvent(step, events)) return frame;
    }
    return null;
  }
}

function hasEvent(step: ReplayStep, events: readonly GameEvent['event'][]): boolean {
  return step.events.some((each) => events.includes(each.event));
}

/** Delay before the next frame in milliseconds; `trueTime` needs a game with a clock. */
export function frameDelay(timeline: ReplayTimeline, frame: number, speed: number, trueTime: boolean): number {
  if (trueTime) return Math.max(0, (timeline.time(frame + 1) - timeline.time(frame)) / speed);
  const events = timeline.events(frame);
  const loud = events.length > 2 ? 1.3 : 1;
  return (1300 * loud) / speed;
}
