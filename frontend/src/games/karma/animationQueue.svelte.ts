// Queue that plays the events of a Karma table one by one as animations.
// A tap during an animation skips to the latest View.

import { tick } from 'svelte';
import { planFlights } from './cardFlights.ts';
import { animateFlights, animateReveal, finishFlights, type AppearanceOf } from './cardMotion.ts';
import { animateSafe } from './safeMotion.ts';
import type { GameEvent, GameView } from '../../generated/games.ts';
import type { KarmaEvent, KarmaView } from '../../generated/karma.ts';
import { pace, reducedMotion } from '../../lib/settings.svelte.ts';
import { moment } from '../../lib/sounds.ts';
import { applyEvent, reuseUnchangedSeats, touchesPile } from './applyEvent.ts';
import { momentOf } from './moments.ts';

/** Events that are also announced in a banner over the table. */
const ANNOUNCED = new Set<KarmaEvent['event']>([
  'pile_cleared',
  'pile_given',
  'bottom_moved_up',
  'direction_reversed',
  'seats_changed',
  'hands_passed',
  'hands_exchanged',
  'turn_lost',
  'turns_to_lose',
  'went_out',
  'brought_back',
  'draw_offered',
  'card_peeked_at',
]);
/** Events that are told at the seat of who does them. */
const DEEDS = new Set<KarmaEvent['event']>([
  'cards_played',
  'card_flipped',
  'pile_picked_up',
  'pile_given',
  'pile_cleared',
  'turn_lost',
  'declined',
  'card_given',
]);
const UNANIMATED = new Set<KarmaEvent['event']>(['turn_began', 'gift_chosen', 'game_ended', 'face_up_chosen']);
const MAX_QUEUED_EVENTS = 24;
const BANNER_MS = 2200;
const DEED_MS = 2600;
/** Pace of the animations when many moves wait. */
const FAST = 0.45;

interface Batch {
  events: readonly KarmaEvent[];
  first: number;
  view: KarmaView;
}

export class AnimationQueue {
  /** The View on the screen; it lags behind the server's View while animations play. */
  shown = $state.raw<KarmaView | null>(null);
  /** The event that the banner announces. */
  banner = $state.raw<KarmaEvent | null>(null);
  /** What each player has just done, by player. */
  deeds = $state.raw<{ readonly [player: number]: KarmaEvent }>({});
  /** Cards in flight: their number on the way to the pile, and their codes on the way to the viewer's hand. */
  toPile = $state(0);
  toHand = $state.raw<string[]>([]);
  playing = $state(false);
  /** Id of the last line of the log whose event is on the screen. */
  lastShownId = $state(0);

  private queue: Batch[] = [];
  /** Id of the last event that was queued. */
  private lastId = 0;
  /** Number of the animation loop that may change the screen; a skipped loop has an older one. */
  private loop = 0;
  private bannerTimer: ReturnType<typeof setTimeout> | undefined;

  private readonly appearanceOf: AppearanceOf | undefined;

  constructor(shown: KarmaView | null = null, appearanceOf?: AppearanceOf) {
    this.shown = shown;
    this.appearanceOf = appearanceOf;
  }

  /** Adds a View and the events that led to it; null means that events are missing, so nothing is animated. */
  enqueue(next: GameView, happened: readonly GameEvent[] | null, first: number): void {
    const view = next as KarmaView;
    const events = happened as readonly KarmaEvent[] | null;
    this.lastId = Math.max(this.lastId, first + (events?.length ?? 0) - 1);
    const queuedEvents = this.queue.reduce((sum, each) => sum + each.events.length, 0);
    if (
      this.shown === null ||
      events === null ||
      events.length === 0 ||
      reducedMotion() ||
      document.hidden ||
      queuedEvents > MAX_QUEUED_EVENTS
    ) {
      this.showAtOnce(view, events);
      return;
    }
    this.queue.push({ events, first, view });
    if (!this.playing) void this.play();
  }

  private showAtOnce(view: KarmaView, events: readonly KarmaEvent[] | null): void {
    if (events && this.shown !== null) this.sound(...events);
    const announced = events?.filter((each) => ANNOUNCED.has(each.event)).at(-1);
    if (announced && this.shown !== null) this.announce(announced);
    for (const each of events ?? []) this.attribute(each);
    this.stopAt(view);
  }

  /** Stops all animations at once and shows the latest View. */
  skip(): void {
    if (this.playing) this.stopAt(this.queue.at(-1)?.view ?? this.shown);
  }

  private stopAt(view: KarmaView | null): void {
    this.loop += 1;
    this.queue = [];
    this.shown = view;
    this.lastShownId = this.lastId;
    this.toPile = 0;
    this.toHand = [];
    if (this.playing) finishFlights();
    this.playing = false;
  }

  private announce(event: KarmaEvent): void {
    this.banner = event;
    clearTimeout(this.bannerTimer);
    this.bannerTimer = setTimeout(() => (this.banner = null), BANNER_MS);
  }

  /** Shows an event at the seat of who does it; a pile that is given away at the seat of who gets it. */
  private attribute(event: KarmaEvent): void {
    if (!DEEDS.has(event.event) || !('player' in event)) return;
    const player = event.event === 'pile_given' ? event.to : event.player;
    this.deeds = { ...this.deeds, [player]: event };
    setTimeout(() => {
      if (this.deeds[player] === event)
        this.deeds = Object.fromEntries(Object.entries(this.deeds).filter(([each]) => Number(each) !== player));
    }, DEED_MS);
  }

  private sound(...events: readonly KarmaEvent[]): void {
    const name = momentOf(...events);
    if (name !== null) moment(name);
  }

  private async play(): Promise<void> {
    this.playing = true;
    this.loop += 1;
    const loop = this.loop;
    let batch = this.queue[0];
    while (batch) {
      const lastOfPile = batch.events.map(touchesPile).lastIndexOf(true);
      for (const [i, event] of batch.events.entries()) {
        this.lastShownId = batch.first + i;
        const revealed = this.revealed(batch.events, i);
        const decided = i === lastOfPile ? decidedBy(batch.view) : {};
        await this.animate(event, loop, revealed, decided);
        if (loop !== this.loop) return;
        // What the pile asks for changes when its last card has landed, and not before.
        if (this.shown) this.shown = { ...this.shown, ...decided };
      }
      this.queue.shift();
      this.shown = this.shown === null ? batch.view : reuseUnchangedSeats(this.shown, batch.view);
      batch = this.queue[0];
    }
    this.playing = false;
  }

  /** The seats whose face-up cards are shown with this event: all together, at the last of these events. */
  private revealed(events: readonly KarmaEvent[], at: number): number[] {
    if (events[at]?.event !== 'face_up_shown' || events[at + 1]?.event === 'face_up_shown') return [];
    return events.flatMap((each) => (each.event === 'face_up_shown' ? [each.seat] : []));
  }

  /** Animates one event; ends early if the loop was skipped. `decided`: what the rules then say about the pile. */
  private async animate(
    event: KarmaEvent,
    loop: number,
    revealed: readonly number[],
    decided: Partial<KarmaView>,
  ): Promise<void> {
    const view = this.shown;
    if (view === null) return;
    this.sound(event);
    const flights = planFlights(view, event);
    if (ANNOUNCED.has(event.event)) this.announce(event);
    this.attribute(event);
    if (flights.length > 0) {
      this.toPile = event.event === 'cards_played' ? event.count : event.event === 'card_flipped' ? 1 : 0;
      this.toHand = cardsToViewer(view, event);
    }
    const after = applyEvent(view, event);
    // A pile that leaves asks for nothing any more while its cards still fly.
    this.shown = after.discard_pile.length === 0 ? { ...after, ...decided } : after;
    await tick();
    const fast = this.queue.length > 3;
    const times = pace() * (fast ? FAST : 1);
    if (flights.length > 0) await animateFlights(flights, times, this.appearanceOf);
    else if (revealed.length > 0) await animateReveal(revealed, times);
    else if (event.event === 'went_out') await animateSafe(event.player, after, times);
    else if (!UNANIMATED.has(event.event) && !fast && ANNOUNCED.has(event.event)) await pause(450 * pace());
    if (loop !== this.loop) return;
    this.toPile = 0;
    this.toHand = [];
    if (event.event === 'card_flipped' && !event.fits) await pause(500 * pace());
  }
}

/** What the rules decide about the pile comes from the View that the events lead to; the page does not derive it. */
function decidedBy({ run, asks_for, clears_at }: KarmaView): Partial<KarmaView> {
  return { run, asks_for, clears_at };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** The cards that an event brings to the viewer's hand. */
function cardsToViewer(view: KarmaView, event: KarmaEvent): string[] {
  if (event.event === 'card_given') return event.to === view.viewer && event.card !== null ? [event.card] : [];
  if (event.event !== 'cards_drawn' && event.event !== 'pile_picked_up' && event.event !== 'pile_given') return [];
  return view.seats[event.seat]?.player === view.viewer ? (event.cards ?? []) : [];
}
