// The keys of a Karma table.

import { isTyping } from '../../lib/keyboard.ts';
import type { PlayModel } from './playModel.svelte.ts';

const TABLE_CARDS = 'qwe';
const PLAYERS = 'abcdefghijkl';

/** What only a live table has. */
export interface KeyActions {
  openLog?: () => void;
  openPile?: () => void;
  openKeys?: () => void;
  askHint?: () => void;
}

/** The label of the key that chooses the n-th player on offer. */
export function playerKey(n: number): string {
  return `⇧${PLAYERS.charAt(n).toUpperCase()}`;
}

/** Does what a key stands for; says whether it stands for anything. */
export function handleKey(event: KeyboardEvent, model: PlayModel, actions: KeyActions = {}): boolean {
  if (isTyping(event)) return false;
  const key = event.key.toLowerCase();
  const offer = model.offer;
  const simple: { [key: string]: (() => void) | false | undefined } = {
    enter: !(event.target instanceof HTMLButtonElement) && (() => model.sendChosen()),
    s: model.chosenMove !== null && (() => model.sendChosen()),
    escape: () => model.clear(),
    p: offer?.pickUp && (() => model.send('pick up')),
    d: offer?.draw && (() => model.send('draw')),
    t: offer?.endTurn && (() => model.send('end turn')),
    n: offer?.decline && (() => model.send('decline')),
    h: offer !== null && actions.askHint,
    l: actions.openLog,
    o: actions.openPile,
    '?': actions.openKeys,
  };
  const act = simple[key];
  if (/^[1-9]$/.test(key)) {
    const group = model.groups[Number(key) - 1];
    if (group) model.tapHand(group);
  } else if (key.length === 1 && TABLE_CARDS.includes(key)) model.tapTable(TABLE_CARDS.indexOf(key) + 1);
  else if (act) act();
  else if (event.shiftKey && key.length === 1 && PLAYERS.includes(key)) {
    const player = offer?.choose[PLAYERS.indexOf(key)];
    if (player !== undefined) model.choose(player);
  } else return false;
  return true;
}
