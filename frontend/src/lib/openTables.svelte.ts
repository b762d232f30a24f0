// The public list of tables, read again and again while a page that shows it is open and visible.

import type { ListedTable } from '../generated/protocol.ts';
import { api, Refusal } from './api.ts';
import type { Text } from './texts.ts';

const REFRESH_MS = 4000;

export class OpenTables {
  /** Null until the list has been read. */
  tables = $state.raw<ListedTable[] | null>(null);
  error = $state.raw<Text | null>(null);

  /** Reads the list until the returned function is called. For an effect. */
  follow(): () => void {
    const refresh = (): void => {
      if (!document.hidden) void this.read();
    };
    const timer = setInterval(refresh, REFRESH_MS);
    document.addEventListener('visibilitychange', refresh);
    refresh();
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
    };
  }

  private async read(): Promise<void> {
    try {
      this.tables = await api.listedTables();
      this.error = null;
    } catch (problem) {
      this.error = problem instanceof Refusal ? problem.text : { key: 'page.error.server' };
    }
  }
}
