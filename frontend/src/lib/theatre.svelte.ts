// Shows what happened, event by event, and then the table as it is. Whoever taps meanwhile ends the show.

import { tick } from 'svelte';
import { tone } from './device.ts';
import { fly, landAll, prepare } from './flights.ts';
import type { KarmaEvent, KarmaView } from './karma.ts';
import { settings, still } from './settings.svelte.ts';
import { after, sharing } from './stage.ts';

export interface LogLine {
  id: number;
  game: number;
  event: KarmaEvent;
}

/** Events that everybody should notice; they are spelt out over the table for a moment. */
const LOUD = new Set([
  'pile_cleared', 'pile_given', 'bottom_moved_up', 'direction_reversed', 'seats_changed', 'hands_passed', 'hands_exchanged',
  'turn_lost', 'turns_to_lose', 'went_out', 'brought_back', 'draw_offered', 'card_peeked_at',
]);
const QUIET = new Set(['turn_began', 'gift_chosen', 'game_ended', 'face_up_chosen']);
const MOST_LINES = 1500;
const MOST_WAITING = 24;

export class Theatre {
  /** What is on show. */
  shown = $state.raw<KarmaView | null>(null);
  lines = $state.raw<LogLine[]>([]);
  /** Over the table, for a moment. */
  banner = $state.raw<KarmaEvent | null>(null);
  /** Cards that are still in the air. */
  toPile = $state(0);
  toHand = $state.raw<string[]>([]);
  playing = $state(false);
  /** The last line whose event has been shown. */
  told = $state(0);

  private waiting: { events: KarmaEvent[]; first: number; view: KarmaView }[] = [];
  private next = 0;
  private hurry = false;
  private bannerTimer: ReturnType<typeof setTimeout> | undefined;

  /** A new View, and what led to it; null if too much was missed to be told. */
  take(view: KarmaView, events: KarmaEvent[] | null, game: number): void {
    const first = this.next + 1;
    if (events) for (const event of events) this.write(event, game);
    const waiting = this.waiting.reduce((sum, each) => sum + each.events.length, 0);
    if (this.shown === null || events === null || events.length === 0 || still() || document.hidden || waiting > MOST_WAITING) {
      this.waiting = [];
      this.hurry = this.playing;
      if (events && this.shown !== null && settings.sound === 'soft' && !document.hidden) this.sound(events);
      const loud = events?.filter((each) => LOUD.has(each.event)).at(-1);
      if (loud && this.shown !== null) this.announce(loud, 2200);
      this.shown = view;
      this.told = this.next;
      this.toPile = 0;
      this.toHand = [];
      if (this.playing) landAll();
      return;
    }
    this.waiting.push({ events, first, view });
    if (!this.playing) void this.play();
  }

  /** What happened in a game without a show: SET is too quick for one. */
  note(events: readonly KarmaEvent[], game: number): void {
    for (const event of events) this.write(event, game);
    this.told = this.next;
  }

  /** Ends the show at once: the table is shown as it is. */
  finish(): void {
    if (!this.playing) return;
    this.hurry = true;
    const last = this.waiting.at(-1);
    this.waiting = [];
    if (last) this.shown = last.view;
    this.told = this.next;
    this.toPile = 0;
    this.toHand = [];
    landAll();
  }

  private write(event: KarmaEvent, game: number): void {
    this.next += 1;
    this.lines = [...this.lines.slice(-MOST_LINES), { id: this.next, game, event }];
  }

  private announce(event: KarmaEvent, milliseconds: number): void {
    this.banner = event;
    clearTimeout(this.bannerTimer);
    this.bannerTimer = setTimeout(() => (this.banner = null), milliseconds);
  }

  private sound(events: readonly KarmaEvent[]): void {
    if (events.some((each) => each.event === 'pile_cleared')) tone('clear');
    else if (events.some((each) => each.event === 'cards_played' || each.event === 'card_flipped')) tone('card');
  }

  private async play(): Promise<void> {
    this.playing = true;
    this.hurry = false;
    let act = this.waiting[0];
    while (act) {
      for (const [i, event] of act.events.entries()) {
        if (this.hurry) break;
        this.told = act.first + i;
        await this.perform(event);
      }
      if (this.hurry) break;
      this.waiting.shift();
      this.shown = this.shown === null ? act.view : sharing(this.shown, act.view);
      act = this.waiting[0];
    }
    this.playing = false;
    this.toPile = 0;
    this.toHand = [];
    if (this.hurry && this.waiting.length > 0) {
      this.hurry = false;
      void this.play();
    }
  }

  private async perform(event: KarmaEvent): Promise<void> {
    const view = this.shown;
    if (view === null) return;
    if (settings.sound === 'soft') this.sound([event]);
    const flights = prepare(view, event);
    const pile = event.event === 'cards_played' ? (event.count as number) : event.event === 'card_flipped' ? 1 : 0;
    const seat = event.event === 'card_given' ? event.to === view.viewer : view.seats[event.seat as number]?.player === view.viewer;
    const drawn = seat && ['cards_drawn', 'pile_picked_up', 'pile_given', 'card_given'].includes(event.event);
    if (LOUD.has(event.event)) this.announce(event, 2200);
    if (flights.length > 0) {
      this.toPile = pile;
      this.toHand = drawn ? ((event.cards ?? (event.card ? [event.card] : [])) as string[]) : [];
    }
    this.shown = after(view, event);
    await tick();
    const quick = this.waiting.length > 3;
    if (flights.length > 0) await fly(flights, quick ? 160 : 380);
    else if (!QUIET.has(event.event) && !quick && LOUD.has(event.event)) await pause(450);
    if (this.hurry) return;
    this.toPile = 0;
    this.toHand = [];
    if (event.event === 'card_flipped' && event.fits === false) await pause(500);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
