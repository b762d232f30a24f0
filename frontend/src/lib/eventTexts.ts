// Which sentence tells an event. The catalogue of a game has one for each of its events.

import type { GameEvent } from '../generated/games.ts';
import type { Text } from './texts.ts';

export function eventText(game: string, event: GameEvent): Text {
  if (event.event === 'call_settled')
    return { key: 'live.event.call_settled', parameters: { player: event.player, n: event.margin_ms } };
  if (event.event === 'bot_explained') return event.why;
  return { key: `${game}.event.${event.event}`, parameters: event };
}
