// A SET that is taken: its cards lift, fly to the chip of their owner, and the score ticks over when they arrive.
// The cards on their way are copies in a layer above the table, which takes no taps.

import type { LogLine } from '../../lib/eventLog.svelte.ts';
import type { SetView } from '../../generated/set.ts';
import { pace, reducedMotion } from '../../lib/settings.svelte.ts';
import { moment } from '../../lib/sounds.ts';
import { lyingCards } from './view.ts';

/** Cards lift for a moment; somebody else's stay longer, so that everybody can see them, at every pace. */
const LIFT_MS = 80;
const SEEN_MS = 400;
const ARC_MS = 420;
const APART_MS = 40;
const FADE_MS = 120;
/** Cards shrink to this size on their way, or further if the chip is narrow. */
const SHRUNK = 0.5;
const STEPS = 12;

/** What a SET has brought or cost, at the chip of a player. */
export interface Tag {
  id: number;
  points: number;
  /** How long the cards had been lying there, in milliseconds; null if that is not known. */
  elapsed: number | null;
}

export class SetFlights {
  layer: HTMLElement | undefined = $state();
  /** Points that have not arrived yet, by player. */
  arriving = $state.raw<{ readonly [player: number]: number }>({});
  tags = $state.raw<{ readonly [player: number]: Tag }>({});
  /** New cards that lie under cards which have not left yet: nobody has seen them. */
  covered = $state.raw<readonly string[]>([]);
  /** How long new cards wait until the old ones have lifted. */
  wait = 0;

  private readonly code: string;
  private lastEventId: number;
  private laidAt: number | null;
  private resting: Animation[] = [];

  /** `laidAt` is when the cards were laid, if that is known. */
  constructor(code: string, lastEventId: number, laidAt: number | null) {
    this.code = code;
    this.lastEventId = lastEventId;
    this.laidAt = laidAt;
  }

  /** Reads new events. Call it before the page shows the new View, while the cards still lie there. */
  tell(lines: readonly LogLine[], view: SetView): void {
    this.wait = 0;
    for (const { id, event } of lines) {
      if (id <= this.lastEventId) continue;
      this.lastEventId = id;
      if (event.event === 'set_taken') {
        const elapsed = this.laidAt === null ? null : view.now - this.laidAt;
        void this.fly(event.cards, event.player, view, { id, points: event.points, elapsed });
      }
      if (event.event === 'point_lost') this.tag(event.player, { id, points: -1, elapsed: null });
      if (event.event === 'set_taken' || event.event === 'cards_laid') this.laidAt = view.now;
    }
  }

  /** Lets cards that others have taken leave at once. */
  hurry(): void {
    for (const each of this.resting) each.finish();
  }

  private tag(player: number, tag: Tag): void {
    this.tags = { ...this.tags, [player]: tag };
  }

  private async fly(cards: readonly string[], player: number, view: SetView, tag: Tag): Promise<void> {
    const copies = document.hidden || !this.layer ? [] : cards.flatMap((card) => copyOf(card, this.layer));
    const mine = player === view.viewer;
    for (const each of copies) each.classList.toggle('mine', mine);
    if (reducedMotion() || copies.length === 0) {
      this.arrived(player, mine, tag);
      await ended(copies.map((each) => each.animate([{ opacity: 1 }, { opacity: 0 }], FADE_MS)));
    } else {
      this.add(player, tag.points);
      await this.lift(copies, mine, view);
      const chip = document.querySelector(`[data-chip="${player}"]`)?.getBoundingClientRect();
      await ended(copies.map((each, i) => arc(each, chip, i * APART_MS * pace())));
      this.add(player, -tag.points);
      this.arrived(player, mine, tag);
    }
    for (const each of copies) each.remove();
  }

  /** The SET has reached the chip. */
  private arrived(player: number, mine: boolean, tag: Tag): void {
    this.tag(player, tag);
    moment(mine ? 'mySet' : 'theirSet', `${this.code} ${tag.id}`);
  }

  private async lift(copies: readonly HTMLElement[], mine: boolean, view: SetView): Promise<void> {
    const duration = mine ? LIFT_MS : SEEN_MS;
    const lifted = { transform: 'translateY(-6px) scale(1.03)' };
    const frames = [{ transform: 'none' }, { ...lifted, offset: LIFT_MS / duration }, lifted];
    const lifts = copies.map((each) => each.animate(frames, { duration, fill: 'forwards', easing: 'ease-out' }));
    this.wait = duration;
    if (!mine) {
      const lay = copies.map((each) => each.dataset.was ?? '');
      const known = [...document.querySelectorAll<HTMLElement>('[data-place]')].map((each) => each.dataset.card);
      this.covered = lyingCards(view).filter(
        (card): card is string => card !== null && !lay.includes(card) && !known.includes(card),
      );
      this.resting = lifts;
    }
    await ended(lifts);
    if (!mine) this.covered = this.resting = [];
  }

  private add(player: number, points: number): void {
    this.arriving = { ...this.arriving, [player]: (this.arriving[player] ?? 0) + points };
  }
}

function ended(animations: readonly Animation[]): Promise<unknown> {
  return Promise.allSettled(animations.map((each) => each.finished));
}

/** A copy of a card on the table, at the same place in the layer. */
function copyOf(card: string, layer: HTMLElement | undefined): HTMLElement[] {
  const face = document.querySelector<HTMLElement>(`[data-place][data-card="${card}"] .face-of`);
  if (!face?.parentElement || !layer) return [];
  const box = face.parentElement.getBoundingClientRect();
  const copy = document.createElement('div');
  copy.className = 'flying';
  copy.dataset.was = card;
  const drawn = face.cloneNode(true) as HTMLElement;
  drawn.removeAttribute('data-card');
  copy.append(drawn);
  Object.assign(copy.style, {
    left: `${box.left}px`,
    top: `${box.top}px`,
    width: `${box.width}px`,
    height: `${box.height}px`,
  });
  layer.append(copy);
  return [copy];
}

/** The way of one card to a chip, along an arc. */
function arc(card: HTMLElement, chip: DOMRect | undefined, delay: number): Animation {
  const box = card.getBoundingClientRect();
  const to = chip ?? box;
  const [dx, dy] = [
    to.left + to.width / 2 - box.left - box.width / 2,
    to.top + to.height / 2 - box.top - box.height / 2,
  ];
  const end = Math.min(SHRUNK, (0.6 * to.width) / box.width);
  // The arc bends to the side of the longer way.
  const bend = 0.18 * Math.hypot(dx, dy) * (dx < 0 ? -1 : 1);
  const frames = Array.from({ length: STEPS + 1 }, (_, i) => {
    const t = i / STEPS;
    const along = t * t * (3 - 2 * t);
    const [x, y] = [along * dx + 4 * along * (1 - along) * bend, along * dy - 6 * (1 - along)];
    const [size, turn] = [1.03 + (end - 1.03) * along, 10 * along * Math.sign(dx)];
    return {
      transform: `translate(${x}px, ${y}px) scale(${size}) rotate(${turn}deg)`,
      opacity: t < 0.85 ? 1 : 1 - (t - 0.85) * 4,
    };
  });
  return card.animate(frames, { duration: ARC_MS * pace(), delay, fill: 'forwards' });
}
