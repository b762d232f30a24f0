// One player's hands at a table of SET: what is chosen, what was sent and is not yet certain, what has just been said.

import type { LiveTable } from './live.svelte.ts';
import { callsFirst, type SetEvent, type SetView } from './setgame.ts';
import { settings } from './settings.svelte.ts';
import { tone } from './device.ts';
import type { Text } from './texts.ts';

/** How long a wrong SET stays explained on the cards. */
const WRONG_MS = 7000;
const NOTE_MS = 5000;
const TAKEN_MS = 4000;
const SETTLED_MS = 1500;

export interface Note {
  /** `taken`: somebody was quicker, which costs nothing. `tip`: what to do. `no`: a refusal. */
  sort: 'taken' | 'tip' | 'no';
  text: Text;
  clause: string | null;
}

export class SetPlay {
  chosen = $state.raw<string[]>([]);
  /** What has been sent and is not answered yet. */
  pending = $state<'call' | 'take' | 'other' | null>(null);
  note = $state.raw<Note | null>(null);
  /** A wrong SET, for all to see for a while. */
  wrong = $state.raw<SetEvent | null>(null);
  /** The SET that was taken last, for a moment. */
  taken = $state.raw<SetEvent | null>(null);
  /** Who was first, and by how much, at the call that runs. */
  settled = $state.raw<SetEvent | null>(null);
  /** The game's own time; it ticks while something runs out. */
  now = $state(0);

  private readonly live: LiveTable;
  private heard = 0;
  private timers: { [what: string]: ReturnType<typeof setTimeout> } = {};

  constructor(live: LiveTable) {
    this.live = live;
    this.heard = live.theatre.lines.at(-1)?.id ?? 0;
    this.now = this.time();
  }

  get view(): SetView | null {
    return this.live.view as unknown as SetView | null;
  }

  /** What the game's clock says now. */
  time(): number {
    return this.live.time.game + Date.now() - this.live.time.here;
  }

  tick(): void {
    this.now = this.time();
  }

  offers(move: string): boolean {
    return this.view?.moves?.includes(move) ?? false;
  }

  /** Whether I have called, or believe so. */
  get mine(): boolean {
    const view = this.view;
    return view !== null && view.viewer !== null && (view.control === view.viewer || (this.pending === 'call' && view.control === null));
  }

  /** Milliseconds until I may call again. */
  get waits(): number {
    const view = this.view;
    if (!view || view.viewer === null) return 0;
    return Math.max(0, (view.may_call_from?.[view.viewer] ?? 0) - this.now);
  }

  get canCall(): boolean {
    return this.offers('call') && this.pending === null;
  }

  call(): void {
    if (!this.canCall) return;
    this.tick();
    if (this.waits > 0) {
      this.say({ sort: 'tip', text: { key: 'page.set.wait', parameters: { n: Math.ceil(this.waits / 1000) } }, clause: null });
      return;
    }
    this.live.move('call');
    this.pending = 'call';
    this.chosen = [];
    this.clear('wrong');
    this.clear('note');
  }

  /** A card was touched: it is chosen, or let go. The third one sends the SET. */
  pick(card: string): void {
    const view = this.view;
    if (!view || view.viewer === null || this.pending === 'take') return;
    if (view.control !== null && view.control !== view.viewer) return;
    if (callsFirst(view) && !this.mine) {
      if (view.take === null && !this.offers('call')) return;
      this.say({ sort: 'tip', text: { key: 'page.set.call_first' }, clause: null });
      return;
    }
    if (!callsFirst(view) && view.take === null) return;
    this.clear('wrong');
    this.clear('note');
    this.chosen = this.chosen.includes(card) ? this.chosen.filter((each) => each !== card) : this.chosen.length < 3 ? [...this.chosen, card] : this.chosen;
    if (this.chosen.length === 3) this.take();
  }

  unpick(): void {
    if (this.pending !== 'take') this.chosen = [];
    this.clear('wrong');
    this.clear('note');
  }

  /** Any other move that is on offer. */
  do(move: string): void {
    if (!this.offers(move) || this.pending !== null) return;
    this.live.move(move);
    this.pending = 'other';
    this.clear('note');
  }

  private take(): void {
    const view = this.view;
    // Who has just called waits to hear that it was the first call; the cards are not forgotten meanwhile.
    if (!view || (callsFirst(view) && view.control !== view.viewer)) return;
    this.tick();
    if (!callsFirst(view) && this.waits > 0) {
      this.chosen = [];
      this.say({ sort: 'tip', text: { key: 'page.set.wait', parameters: { n: Math.ceil(this.waits / 1000) } }, clause: null });
      return;
    }
    this.live.move(`take ${this.chosen.join(' ')}`);
    this.pending = 'take';
  }

  /** A new View: what is no longer there is no longer chosen; a call that counts goes on. */
  seen(view: SetView): void {
    this.tick();
    const there = new Set([...(view.layout ?? []), ...(view.centre ?? []), ...(view.personal?.[view.viewer ?? -1] ?? [])]);
    const held = this.chosen.filter((card) => there.has(card));
    if (held.length !== this.chosen.length) this.chosen = held;
    if (view.control === null) this.settled = null;
    if (view.control !== null && this.pending === 'call') {
      this.pending = null;
      if (view.control !== view.viewer) this.chosen = [];
      else if (this.chosen.length === 3) this.take();
    }
    if (view.control !== null && view.control !== view.viewer && this.chosen.length > 0) this.chosen = [];
  }

  /** All that was sent has been answered. */
  answered(): void {
    if (this.pending === 'take') this.chosen = [];
    if (this.pending !== 'call') this.pending = null;
    // A call is settled a moment after it was taken down; should nothing come of it, one may call again.
    else this.later('call', SETTLED_MS, () => {
      if (this.pending === 'call') this.pending = null;
    });
  }

  /** The table said no. */
  refused(): void {
    const trouble = this.live.trouble;
    if (trouble === null) return;
    this.pending = null;
    this.chosen = [];
    // Three names of cards are too long for what is to be read in passing.
    const text = trouble.text.key === 'set.refusal.taken' ? { key: 'page.set.gone' } : trouble.text;
    this.say({ sort: trouble.taken ? 'taken' : 'no', text, clause: trouble.taken ? null : trouble.clause });
  }

  /** What has happened since the last time. */
  hear(): void {
    for (const { id, event } of this.live.theatre.lines) {
      if (id <= this.heard) continue;
      this.heard = id;
      this.happened(event);
    }
  }

  private happened(event: SetEvent): void {
    if (event.event === 'call_settled') this.settled = event;
    if (event.event === 'wrong_set') {
      this.wrong = event;
      this.chosen = [];
      this.after('wrong', WRONG_MS);
    }
    if (event.event === 'set_taken' || event.event === 'called') this.clear('wrong');
    if (event.event === 'set_taken') {
      this.taken = event;
      this.after('taken', TAKEN_MS);
    }
    if (settings.sound === 'soft' && !document.hidden) {
      if (event.event === 'set_taken') tone('turn');
      if (event.event === 'called' || event.event === 'cards_laid') tone('card');
      if (event.event === 'wrong_set') tone('clear');
    }
  }

  say(note: Note): void {
    this.note = note;
    this.after('note', NOTE_MS);
  }

  clear(what: 'wrong' | 'taken' | 'note'): void {
    clearTimeout(this.timers[what]);
    if (this[what] !== null) this[what] = null;
  }

  private after(what: 'wrong' | 'taken' | 'note', milliseconds: number): void {
    this.later(what, milliseconds, () => this.clear(what));
  }

  private later(what: string, milliseconds: number, act: () => void): void {
    clearTimeout(this.timers[what]);
    this.timers[what] = setTimeout(act, milliseconds);
  }
}
