// The events of a table in their order, with an id for each; games and rematches follow one another.

import type { GameEvent } from '../generated/games.ts';

export interface LogLine {
  id: number;
  /** Number of the game at this table. */
  game: number;
  event: GameEvent;
}

const MAX_LINES = 1500;

export class EventLog {
  lines = $state.raw<LogLine[]>([]);
  private lastId = 0;

  /** Adds events; returns the id of the first one. */
  append(events: readonly GameEvent[], game: number): number {
    const first = this.lastId + 1;
    const added = events.map((event, i) => ({ id: first + i, game, event }));
    this.lastId += added.length;
    this.lines = [...this.lines, ...added].slice(-MAX_LINES);
    return first;
  }

  /** The lines of one game. */
  linesOf(game: number): LogLine[] {
    return this.lines.filter((each) => each.game === game);
  }
}
