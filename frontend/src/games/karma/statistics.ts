// Statistics of a finished Karma game, counted from its events.

import type { Ending, GameEvent } from '../../generated/games.ts';

export interface Facts {
  turns: number;
  mostClears: { players: number[]; clears: number } | null;
  cameBack: number[];
  mostPickUps: { players: number[]; times: number } | null;
  luckyFlips: { player: number; times: number } | null;
}

export function factsOf(events: readonly GameEvent[]): Facts {
  const clears = new Map<number, number>();
  const pickUps = new Map<number, number>();
  const flips = new Map<number, number>();
  const cameBack: number[] = [];
  let turns = 0;
  for (const event of events) {
    if (event.event === 'turn_began') turns += 1;
    if (event.event === 'pile_cleared') count(clears, event.player);
    if (event.event === 'card_flipped' && event.fits) count(flips, event.player);
    if (event.event === 'brought_back' && !cameBack.includes(event.player)) cameBack.push(event.player);
    if (event.event === 'pile_picked_up') count(pickUps, event.player);
    if (event.event === 'pile_given') count(pickUps, event.to);
  }
  const [clearers, cleared] = most(clears);
  const [pickers, picked] = most(pickUps);
  const [flippers, flipped] = most(flips);
  return {
    turns,
    mostClears: cleared > 0 ? { players: clearers, clears: cleared } : null,
    cameBack,
    mostPickUps: picked > 1 ? { players: pickers, times: picked } : null,
    luckyFlips: flipped > 1 && flippers.length === 1 ? { player: flippers[0] ?? 0, times: flipped } : null,
  };
}

/** The players in the order in which they went out, and then those who still hold cards; null if events are missing. */
export function finishingOrder(events: readonly GameEvent[], ending: Ending): number[] | null {
  const order = new Set<number>();
  for (const event of events) {
    if (event.event === 'went_out') order.add(event.player);
    if (event.event === 'brought_back') order.delete(event.player);
  }
  const complete = ending.losers.length > 0 && ending.winners.every((each) => order.has(each));
  return complete ? [...order, ...ending.losers] : null;
}

/** The turn on which each player went out for good; the first turn is 1. */
export function turnsOut(events: readonly GameEvent[]): Map<number, number> {
  const turns = new Map<number, number>();
  let turn = 0;
  for (const event of events) {
    if (event.event === 'turn_began') turn += 1;
    if (event.event === 'went_out') turns.set(event.player, Math.max(1, turn));
    if (event.event === 'brought_back') turns.delete(event.player);
  }
  return turns;
}

export interface BigPile {
  player: number;
  /** Who gave it away; null: the player picked it up. */
  giver: number | null;
  cards: readonly string[];
  turn: number;
}

/** The biggest pile that somebody took or was given; null if nobody ever had to take one. */
export function biggestPile(events: readonly GameEvent[]): BigPile | null {
  let biggest: BigPile | null = null;
  let turn = 0;
  for (const event of events) {
    if (event.event === 'turn_began') turn += 1;
    if (event.event !== 'pile_picked_up' && event.event !== 'pile_given') continue;
    if (event.cards.length <= (biggest?.cards.length ?? 1)) continue;
    const isGift = event.event === 'pile_given';
    biggest = {
      player: isGift ? event.to : event.player,
      giver: isGift ? event.player : null,
      cards: event.cards,
      turn: Math.max(1, turn),
    };
  }
  return biggest;
}

function count(times: Map<number, number>, player: number): void {
  times.set(player, (times.get(player) ?? 0) + 1);
}

function most(times: Map<number, number>): [number[], number] {
  const best = Math.max(0, ...times.values());
  return [[...times].filter(([, n]) => n === best).map(([player]) => player), best];
}
