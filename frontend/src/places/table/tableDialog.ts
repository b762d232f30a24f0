/** The names of a table's dialogs. */
export type TableDialog = 'talk' | 'more' | 'invite' | 'guests' | 'keys' | 'leave' | 'close';
