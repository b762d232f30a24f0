// The table that this page is connected to. A player who reads the rules or changes settings is not away from it.

import type { LiveTable } from './liveTable.svelte.ts';

let open: LiveTable | null = null;

/** The open connection to a table, or a new one. */
export function openTable(code: string, connect: () => LiveTable): LiveTable {
  if (open?.code === code && open.status !== 'closed') return open;
  closeTable();
  open = connect();
  return open;
}

export function closeTable(): void {
  open?.close();
  open = null;
}
