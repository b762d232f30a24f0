// The page shows of SET what the View says, in games of every variant.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buttonsOf, openView } from '../src/games/set/view.ts';
import type { SetView } from '../src/generated/set.ts';
import { VARIANTS } from '../src/generated/setSetup.ts';
import { fixture } from './fixtures.ts';

const GAMES = fixture<{ views: SetView[] }[]>('setGames');
const VIEWS = GAMES.flatMap((each) => each.views);

test('the games are of every variant that the page offers', () => {
  assert.deepEqual(new Set(VIEWS.map((each) => each.variant)), new Set(VARIANTS.map((each) => each.variant)));
});

test('every offered move has a button', () => {
  for (const view of VIEWS) {
    const buttons = ['call', ...buttonsOf(view, view.control !== null && view.control === view.viewer)];
    // Where the table deals by itself, nobody is asked whether there is no SET.
    const offered = view.moves.filter((each) => !(view.options.auto_deal && each === 'agree'));
    for (const move of offered) assert.ok(buttons.includes(move), `${view.variant}: ${move}`);
  }
});

test('cards can be taken exactly when the engine takes them: after the own call, or without a call', () => {
  for (const view of VIEWS) {
    const own = view.control !== null && view.control === view.viewer;
    if (view.flags.call_first) assert.equal(view.take !== null, own);
    else assert.ok(view.take === null || !view.moves.includes('call'));
  }
  assert.ok(VIEWS.some((each) => each.take !== null && each.flags.call_first));
  assert.ok(VIEWS.some((each) => each.take !== null && !each.flags.call_first));
});

test('the places that the flags reserve are enough for the cards', () => {
  for (const { views } of GAMES) {
    const [first] = views;
    assert.ok(first);
    if (first.layout) assert.ok(first.layout.length >= first.flags.layout, 'more cards come at once without a SET');
    for (const view of views) {
      assert.ok((view.layout?.length ?? 0) <= view.flags.most_laid);
      for (const cards of view.personal ?? []) assert.ok(cards.length <= view.flags.most_personal);
    }
  }
});

test('a View that is not paused is shown as it is', () => {
  for (const view of VIEWS) assert.equal(openView(view), view);
});
