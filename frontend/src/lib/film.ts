// A finished game, frame by frame: the server tells the first View and what each move changed; here they become Views again.

import type { Frames, ReplayStep } from '../generated/protocol.ts';
import type { KarmaEvent } from './karma.ts';

type Change = readonly ['is', unknown] | readonly ['in', { readonly [part: string]: Change }] | readonly ['keep', number, readonly unknown[]] | readonly ['gone'];

/** A value after a change; what has not changed is shared. The twin of `difference` in threefold/live/replay.py. */
export function changed(value: unknown, change: unknown): unknown {
  if (change === null || change === undefined) return value;
  const [sort, what, rest] = change as [string, unknown, unknown[]];
  if (sort === 'is') return what;
  if (sort === 'keep') return [...(value as unknown[]).slice(0, what as number), ...rest];
  const parts = what as { [part: string]: Change };
  if (Array.isArray(value)) {
    const next = [...(value as unknown[])];
    for (const [i, each] of Object.entries(parts)) next[Number(i)] = changed(next[Number(i)], each);
    return next;
  }
  const next: { [name: string]: unknown } = { ...(value as object) };
  for (const [name, each] of Object.entries(parts)) {
    if (each[0] === 'gone') delete next[name];
    else next[name] = changed(next[name], each);
  }
  return next;
}

/** What one can jump to: a name, and the events it is about. */
const MARKS: { [game: string]: { [mark: string]: readonly string[] } } = {
  karma: {
    clear: ['pile_cleared'],
    pick_up: ['pile_picked_up', 'pile_given'],
    special: ['direction_reversed', 'seats_changed', 'hands_passed', 'hands_exchanged', 'turns_to_lose', 'bottom_moved_up', 'card_given', 'card_peeked_at', 'cards_swapped', 'brought_back', 'cards_left'],
    out: ['went_out'],
  },
  set: {
    taken: ['set_taken'],
    wrong: ['wrong_set', 'call_failed'],
    laid: ['cards_laid', 'centre_removed', 'personal_card_given'],
  },
};

export class Film<View> {
  readonly game: string;
  readonly steps: readonly ReplayStep[];
  private readonly views: View[];

  constructor(game: string, frames: Frames) {
    this.game = game;
    this.steps = frames.steps;
    this.views = [frames.first as View];
  }

  /** How many moves there are; frame 0 is before the first. */
  get length(): number {
    return this.steps.length;
  }

  /** The table after so many moves. */
  view(frame: number): View {
    while (this.views.length <= frame) {
      const at = this.views.length;
      this.views.push(changed(this.views[at - 1], this.steps[at - 1]?.change) as View);
    }
    return this.views[frame] as View;
  }

  /** What the move that led here brought. */
  events(frame: number): KarmaEvent[] {
    return (this.steps[frame - 1]?.told ?? []) as unknown as KarmaEvent[];
  }

  /** The game's own time after so many moves, in games against time. */
  time(frame: number): number {
    return this.steps[frame - 1]?.at ?? 0;
  }

  /** The marks that this game has. */
  get marks(): string[] {
    return Object.entries(MARKS[this.game] ?? {}).filter(([, events]) => this.steps.some((step) => tells(step, events))).map(([mark]) => mark);
  }

  marksOf(frame: number): string[] {
    const step = this.steps[frame - 1];
    return step === undefined ? [] : Object.entries(MARKS[this.game] ?? {}).filter(([, events]) => tells(step, events)).map(([mark]) => mark);
  }

  /** The next frame with this mark in a direction; null if there is none. */
  find(mark: string, from: number, direction: 1 | -1): number | null {
    const events = MARKS[this.game]?.[mark] ?? [];
    for (let frame = from + direction; frame >= 1 && frame <= this.length; frame += direction) {
      const step = this.steps[frame - 1];
      if (step && tells(step, events)) return frame;
    }
    return null;
  }
}

function tells(step: ReplayStep, events: readonly string[]): boolean {
  return step.told.some((each) => events.includes(each['event'] as string));
}

/** How long until the next frame, in milliseconds; true time needs a game that is played against it. */
export function waitFor(film: Film<unknown>, frame: number, speed: number, trueTime: boolean): number {
  if (trueTime) return Math.max(0, (film.time(frame + 1) - film.time(frame)) / speed);
  const events = film.events(frame);
  const loud = events.length > 2 ? 1.3 : 1;
  return (1300 * loud) / speed;
}
