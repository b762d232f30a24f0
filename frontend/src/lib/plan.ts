// The plan of a table, as the setup form has it.

import { kitOf } from '../games/index.ts';
import type { Plan } from '../games/kit.ts';
import type { TableShown } from '../generated/protocol.ts';

/** The settings in force at a table. */
export function planOf(table: TableShown): Plan {
  const kit = kitOf(table.game);
  return {
    way: table.setup[kit.wayField] ?? kit.newTable(null).way,
    options: { ...((table.setup['options'] as Plan['options'] | undefined) ?? {}) },
    seats: table.settings.seats ?? 4,
    listed: table.settings.listed ?? false,
    grace_s: table.settings.grace_s ?? 60,
    turn_clock_s: table.settings.turn_clock_s ?? 0,
    chat: table.settings.chat ?? false,
    memory_aid: table.settings.memory_aid ?? false,
    pace: table.settings.pace ?? 'human',
  };
}
