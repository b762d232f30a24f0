// Applying all events of a move to the old View gives the new View, in everything that lies on the table. What the rules
// decide stays as it was, because the page does not derive it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KarmaEvent, KarmaView } from '../src/generated/karma.ts';
import { applyEvent } from '../src/games/karma/applyEvent.ts';
import { fixture } from './fixtures.ts';

interface Game {
  steps: { view: KarmaView; events: KarmaEvent[] }[];
}

function comparable(view: KarmaView, hands: boolean): unknown {
  return {
    seats: view.seats.map((seat) => ({ ...seat, hand: hands ? seat.hand : null, known: [] })),
    discard_pile: view.discard_pile,
    removed: view.removed.length,
    draw_pile: view.draw_pile,
    direction: view.direction,
    out: [...view.out].sort(),
    lost_turns: view.lost_turns,
    draw_agreed: [...view.draw_agreed].sort(),
  };
}

function decided({ next_player, run, asks_for, play_from, clears_at, awaits, moves }: KarmaView): unknown {
  return { next_player, run, asks_for, play_from, clears_at, awaits, moves };
}

test('applying the events of a move gives the next View of the server, for a player and for a spectator', () => {
  let moves = 0;
  for (const game of fixture<Game[]>('games')) {
    for (let i = 1; i < game.steps.length; i++) {
      const [before, step] = [game.steps[i - 1], game.steps[i]];
      assert.ok(before && step);
      const reached = step.events.reduce((view, event) => applyEvent(view, event), before.view);
      assert.deepEqual(decided(reached), decided(before.view));
      const handsMoved = step.events.some((each) =>
        ['seats_changed', 'hands_passed', 'hands_exchanged'].includes(each.event),
      );
      assert.deepEqual(
        comparable(reached, !handsMoved),
        comparable(step.view, !handsMoved),
        JSON.stringify(step.events),
      );
      moves += 1;
    }
  }
  assert.ok(moves > 500);
});
