// Looking at a card: everything with `data-look` opens large. A mouse rests on it, a finger presses it for a while,
// and a key opens it for those who use a keyboard. A long press never plays the card.

export interface Look {
  card: string;
  /** Where the card lies. */
  element: LookedElement;
  /** A hovered card shows a box beside it; an opened one has a dialog. */
  open: boolean;
}

type LookedElement = HTMLElement | SVGElement;
const PRESS_MS = 350;
/** A finger that moves further than this is dragging or scrolling. */
const STEADY_PX = 10;
/** The page itself has a look, too: its theme. */
const CARD = '[data-look]:not(html)';

let looked = $state.raw<Look | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;
let pressed: { x: number; y: number } | null = null;
let swallowClick = false;
/** A card that was clicked does not show its box until the mouse has left it. */
let dismissed: LookedElement | null = null;
/** Where the mouse was last, and the card that it moved onto there. */
let mouse = { x: -1, y: -1 };
let hovered: LookedElement | null = null;

/** How a mouse and a keyboard open cards here. */
const way = { key: 'i', pause: 0 };

/** Sets the key that opens a card, and how long a mouse rests on it. */
export function lookBy(key: string, pause: number): void {
  [way.key, way.pause] = [key, pause];
}

export function lookedAt(): Look | null {
  return looked;
}

/** Is a card opened large? */
export function isLooking(): boolean {
  return looked?.open === true;
}

export function stopLooking(): void {
  clearTimeout(timer);
  looked = null;
}

function lookAt(element: LookedElement, open: boolean): void {
  const card = element.dataset.look;
  if (card) looked = { card, element, open };
}

function cardAt(target: EventTarget | null): LookedElement | null {
  return target instanceof Element ? target.closest<LookedElement>(CARD) : null;
}

/** The cards that can be looked at now: those of the open dialog, or those of the table. */
function visibleCards(): LookedElement[] {
  const dialog = document.querySelector('dialog[open]:not(.look)') ?? document;
  return [...dialog.querySelectorAll<LookedElement>(CARD)].filter((each) => each.checkVisibility());
}

/** Opens the next card or the one before. */
export function lookFurther(step: number): void {
  const cards = visibleCards();
  const at = looked === null ? -1 : cards.indexOf(looked.element);
  const next = cards[(at + step + cards.length) % cards.length];
  if (next) lookAt(next, true);
}

export const listeners = {
  /** What lies under a resting mouse has changed. */
  onpointerover: (event: PointerEvent): void => {
    if (event.pointerType !== 'mouse' || looked?.open || cardAt(event.target) === looked?.element) return;
    stopLooking();
  },
  onpointerdown: (event: PointerEvent): void => {
    swallowClick = false;
    if (isLooking()) return;
    stopLooking();
    const card = cardAt(event.target);
    if (event.pointerType === 'mouse') dismissed = card;
    if (card === null || event.pointerType === 'mouse') return;
    pressed = { x: event.clientX, y: event.clientY };
    timer = setTimeout(() => {
      swallowClick = true;
      lookAt(card, true);
    }, PRESS_MS);
  },
  onpointermove: (event: PointerEvent): void => {
    if (event.pointerType === 'mouse') hover(event);
    if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > STEADY_PX) endPress();
  },
  onpointerup: endPress,
  onpointercancel: endPress,
  /** A press that opened a card ends with a click, which must not play it; phones also open a menu. */
  onclickcapture: (event: MouseEvent): void => {
    if (swallowClick) stop(event);
    swallowClick = false;
  },
  oncontextmenu: (event: MouseEvent): void => {
    if (swallowClick) event.preventDefault();
  },
  onkeydown: (event: KeyboardEvent): void => {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isLooking()) {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step !== undefined) lookFurther(step);
      else if (event.key.toLowerCase() === way.key) stopLooking();
      else return;
    } else if (event.key.toLowerCase() === way.key) {
      const focused = document.activeElement;
      const inside = [...(focused?.querySelectorAll<LookedElement>(CARD) ?? [])].at(-1);
      const card = looked?.element ?? cardAt(focused) ?? (focused === document.body ? null : inside) ?? null;
      if (card) lookAt(card, true);
      else lookFurther(1);
    } else return;
    stop(event);
  },
};

/** Starts to look at a card when the mouse itself moves onto it, not when a card lands under it. */
function hover(event: PointerEvent): void {
  const moved = mouse.x !== event.clientX || mouse.y !== event.clientY;
  mouse = { x: event.clientX, y: event.clientY };
  const card = cardAt(event.target);
  if (!moved || isLooking() || card === hovered) return;
  hovered = card;
  if (card !== dismissed) dismissed = null;
  stopLooking();
  if (card && card !== dismissed) timer = setTimeout(() => lookAt(card, false), way.pause);
}

function endPress(): void {
  if (pressed) clearTimeout(timer);
  pressed = null;
}

function stop(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}
