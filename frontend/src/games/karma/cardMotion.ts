// Moves cards from one place to another, or in their own place. Only transforms and opacity are animated; a flying card
// is fully opaque. `finishFlights` ends everything at once.

import { mount, unmount } from 'svelte';
import { pace } from '../../lib/settings.svelte.ts';
import Card from './Card.svelte';
import type { CardAppearance } from './cardAppearance.ts';
import { positionOf, type Flight, type Motion, type Position } from './cardFlights.ts';

export type AppearanceOf = (card: string) => Pick<CardAppearance, 'short' | 'picture' | 'mark'>;

const EASE = 'cubic-bezier(0.2, 0.8, 0.2, 1)';
/** Milliseconds from one card of a motion to the next. */
const APART: { readonly [motion in Motion]: number } = { throw: 45, arc: 25, flip: 0, sweep: 30 };

/** Animates planned flights after the page has changed. Resolves when the last card has arrived.
 * All durations are multiplied by `times`. */
export async function animateFlights(flights: Flight[], times: number, appearanceOf?: AppearanceOf): Promise<void> {
  // Measure all targets before adding elements; otherwise the browser computes the layout once per card.
  const targets = flights.map((flight) => positionOf(...flight.to));
  // A pile leaves with its top card first, which stays on top; thrown cards come to lie on one another.
  const depthOf = (i: number): number => (flights[i]?.motion === 'throw' ? i : flights.length - i);
  await Promise.all(
    flights.flatMap((flight, i) => {
      const target = targets[i];
      if (!target) return [];
      const element = flyingElement(target, depthOf(i));
      return [animateFlight(flight, target, element, times, i * APART[flight.motion] * times, appearanceOf)];
    }),
  );
}

/** The layer that contains flying cards; it is separate so that the page below is not laid out or painted again. */
export function flightLayer(): HTMLElement {
  const existing = document.getElementById('flights');
  if (existing) return existing;
  const layer = document.createElement('div');
  layer.id = 'flights';
  layer.setAttribute('aria-hidden', 'true');
  layer.style.cssText = 'position:fixed;inset:0;z-index:60;pointer-events:none;contain:strict;';
  document.body.append(layer);
  return layer;
}

function flyingWidth(target: Position): number {
  return Math.min(Math.max(target.width, 34), 220);
}

function flyingElement(target: Position, depth: number): HTMLElement {
  const width = flyingWidth(target);
  const element = document.createElement('div');
  element.className = 'flying';
  element.style.cssText =
    `position:absolute;width:${width}px;left:${target.x - width / 2}px;top:${target.y - width * 0.7}px;` +
    `z-index:${depth};will-change:transform;--e:var(--e4);`;
  return element;
}

async function animateFlight(
  { card, from, motion, turn }: Flight,
  target: Position,
  element: HTMLElement,
  times: number,
  delay: number,
  appearanceOf?: AppearanceOf,
): Promise<void> {
  const width = flyingWidth(target);
  const look = card === null || appearanceOf === undefined ? null : appearanceOf(card);
  const face = { card, title: look?.short ?? '', picture: look?.picture ?? null, mark: look?.mark ?? '' };
  const drawn = [mount(Card, { target: element, props: face })];
  flightLayer().append(element);
  const start = Math.min(1.6, Math.max(0.25, from.width / width));
  const at = `translate(${from.x - target.x}px, ${from.y - target.y}px) scale(${start})`;
  const [frames, milliseconds] = framesOf(motion, at, from, target, turn, start);
  const timing = { duration: milliseconds * times, delay, fill: 'both' } as const;
  const animations = [element.animate(frames, timing)];
  if (motion === 'flip') {
    drawn.push(mount(Card, { target: element, props: { card: null } }));
    const [front, back] = element.children as HTMLCollectionOf<HTMLElement>;
    if (front && back) {
      back.style.cssText = 'position:absolute;inset:0;';
      animations.push(...turnOver(front, back, timing, milliseconds));
    }
  }
  await Promise.allSettled(animations.map((each) => each.finished)); // a cancelled one is rejected
  element.remove();
  for (const each of drawn) void unmount(each);
}

/** Milliseconds: to the edge, a held breath, and open. */
const [EDGE, BREATH, FLY, SQUASH, ARC, GATHER, SWEEP] = [180, 250, 320, 60, 520, 160, 380];

function framesOf(
  motion: Motion,
  at: string,
  from: Position,
  target: Position,
  turn: number,
  start: number,
): [frames: Keyframe[], milliseconds: number] {
  const there = `translate(0, 0) scale(1) rotate(${turn}deg)`;
  const squashed = `translate(0, 0) scale(0.97) rotate(${turn}deg)`;
  const landing = (whole: number): Keyframe[] => [
    { transform: there, offset: 1 - SQUASH / whole, easing: 'ease-out' },
    { transform: squashed, offset: 1 - SQUASH / 2 / whole, easing: 'ease-in' },
    { transform: there },
  ];
  switch (motion) {
    case 'throw':
      return [[{ transform: at, easing: EASE }, ...landing(FLY + SQUASH)], FLY + SQUASH];
    case 'flip': {
      const whole = EDGE + BREATH + FLY + SQUASH;
      const lifted = `${at} scale(1.12)`;
      return [
        [
          { transform: at, easing: 'ease-out' },
          { transform: lifted, offset: EDGE / whole },
          { transform: lifted, offset: (EDGE + BREATH) / whole, easing: EASE },
          ...landing(whole),
        ],
        whole,
      ];
    }
    case 'arc': {
      const [dx, dy] = [from.x - target.x, from.y - target.y];
      const height = Math.min(90, 24 + Math.hypot(dx, dy) * 0.16);
      const middle = `translate(${dx * 0.5}px, ${dy * 0.5 - height}px) scale(${(start + 1) / 2})`;
      return [
        [
          { transform: at, easing: 'cubic-bezier(0.3, 0.2, 0.6, 0.8)' },
          { transform: `${middle} rotate(${dx < 0 ? 8 : -8}deg)`, easing: 'cubic-bezier(0.3, 0.2, 0.4, 1)' },
          { transform: there },
        ],
        ARC,
      ];
    }
    case 'sweep': {
      const whole = GATHER + SWEEP;
      const away = `translate(${-(target.x + target.width)}px, -12px) rotate(-24deg)`;
      return [
        [
          { transform: at, easing: 'ease-out' },
          { transform: there, offset: GATHER / whole, easing: 'ease-in' },
          { transform: away },
        ],
        whole,
      ];
    }
  }
}

/** Shows the back until the card stands on its edge, and the face from then on. */
function turnOver(front: HTMLElement, back: HTMLElement, timing: KeyframeAnimationOptions, whole: number): Animation[] {
  const [edge, open] = [EDGE / whole, (EDGE + BREATH) / whole];
  const [flat, thin] = ['scaleX(1)', 'scaleX(0.02)'];
  return [
    back.animate(
      [
        { transform: flat, opacity: 1, easing: 'ease-in' },
        { transform: thin, opacity: 1, offset: edge },
        { transform: thin, opacity: 1, offset: open },
        { transform: thin, opacity: 0, offset: open },
        { transform: thin, opacity: 0 },
      ],
      timing,
    ),
    front.animate(
      [
        { transform: thin, opacity: 0 },
        { transform: thin, opacity: 0, offset: edge },
        { transform: thin, opacity: 1, offset: open, easing: 'ease-out' },
        { transform: flat, opacity: 1, offset: Math.min(1, open + EDGE / whole) },
        { transform: flat, opacity: 1 },
      ],
      timing,
    ),
  ];
}

// ---------------------------------------------------------------- Cards that move in their own place

/** Lets the cards of a new game come from the draw pile. */
export function animateDeal(): void {
  const from = positionOf('draw');
  if (from === null) return;
  const cards = [...document.querySelectorAll<HTMLElement>('.seat .card-of, .mine .card-of, .hand .one')];
  const boxes = cards.map((each) => each.getBoundingClientRect());
  const step = Math.min(30, 500 / Math.max(1, cards.length));
  for (const [i, card] of cards.entries()) {
    const box = boxes[i];
    if (box === undefined || box.width === 0) continue;
    const [dx, dy] = [from.x - box.left - box.width / 2, from.y - box.top - box.height / 2];
    card.animate(
      [
        { transform: `translate(${dx}px, ${dy}px) scale(${from.width / box.width}) rotate(-30deg)`, opacity: 0 },
        { opacity: 1, offset: 0.15 },
        {},
      ],
      { duration: FLY * pace(), delay: i * step * pace(), easing: EASE, fill: 'backwards' },
    ).id = IN_PLACE;
  }
}

/** Turns the face-up cards of these seats over, all seats together. */
export async function animateReveal(seats: readonly number[], times: number): Promise<void> {
  const cards = seats.flatMap((seat) => [...document.querySelectorAll<HTMLElement>(`[data-at^="up-${seat}-"]`)]);
  const animations = cards.map((card, i) => {
    const animation = card.animate(
      [
        { transform: 'translateY(-12%) scaleX(0.02)', opacity: 0 },
        { transform: 'translateY(-12%) scaleX(0.02)', opacity: 1, offset: 0.3 },
        { transform: 'translateY(-6%) scaleX(1)', offset: 0.75 },
        { transform: 'none' },
      ],
      { duration: 420 * times, delay: (i % 3) * 90 * times, easing: 'ease-out', fill: 'backwards' },
    );
    animation.id = IN_PLACE;
    return animation.finished;
  });
  await Promise.allSettled(animations);
}

/** Shakes what was refused. */
export function shake(element: Element): void {
  element.animate(
    [0, -6, 6, -6, 6, -6, 0].map((x) => ({ transform: `translateX(${x}px)` })),
    { duration: 240, composite: 'add' },
  ).id = IN_PLACE;
}

const IN_PLACE = 'card in place';

/** Ends all flights at once. */
export function finishFlights(): void {
  for (const element of document.querySelectorAll('.flying')) {
    for (const animation of element.getAnimations({ subtree: true })) animation.finish();
  }
  for (const animation of document.getAnimations()) if (animation.id === IN_PLACE) animation.finish();
}
