// The lines of a log in paragraphs, such as one for each turn.

import type { GameEvent } from '../generated/games.ts';
import type { LogLine } from './eventLog.svelte.ts';

export interface Paragraph {
  heading: LogLine | null;
  below: LogLine[];
}

/** The lines in paragraphs, each with its heading; without any heading every line is a paragraph of its own. */
export function paragraphsOf(lines: readonly LogLine[], starts: (event: GameEvent) => boolean): Paragraph[] {
  if (!lines.some((each) => starts(each.event))) return lines.map((each) => ({ heading: null, below: [each] }));
  const paragraphs: Paragraph[] = [];
  for (const line of lines) {
    if (starts(line.event)) paragraphs.push({ heading: line, below: [] });
    else if (paragraphs.length === 0) paragraphs.push({ heading: null, below: [line] });
    else paragraphs.at(-1)?.below.push(line);
  }
  return paragraphs;
}
