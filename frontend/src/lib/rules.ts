// Parser for the rules pages (docs/rules), which the project's tests cite, too.

import type { GameKit } from '../games/kit.ts';

/** A piece of text: plain, strong, code, or a reference to another clause. */
export interface Piece {
  words: string;
  sort: 'plain' | 'strong' | 'code' | 'clause';
}
export interface Clause {
  id: string;
  /** The card that the clause describes, if any. */
  title: string | null;
  pieces: Piece[];
  /** The text without markup, for the search. */
  plain: string;
}
export interface Section {
  /** The heading as a key, such as `the_game`. */
  key: string;
  title: string;
  clauses: Clause[];
  /** Paragraphs without a clause number. */
  notes: Piece[][];
}
export interface Column {
  name: string;
  facts: { name: string; pieces: Piece[] }[];
}
export interface Rules {
  sections: Section[];
  /** The columns of the table of editions. */
  editions: Column[];
}

/** Splits a line of Markdown into pieces; clause numbers become references. */
export function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  const marks = /\*\*(.+?)\*\*|`(.+?)`|\*(.+?)\*|\[(.+?)\]\(.+?\)|\b([KSTPM]\d{1,2}a?)\b/g;
  let from = 0;
  for (const match of line.matchAll(marks)) {
    if (match.index > from) pieces.push({ words: line.slice(from, match.index), sort: 'plain' });
    const [whole, strong, code, soft, link, clause] = match;
    if (clause !== undefined) pieces.push({ words: clause, sort: 'clause' });
    else if (code !== undefined) pieces.push({ words: code, sort: 'code' });
    else pieces.push({ words: strong ?? soft ?? link ?? '', sort: strong !== undefined ? 'strong' : 'plain' });
    from = match.index + whole.length;
  }
  if (from < line.length) pieces.push({ words: line.slice(from), sort: 'plain' });
  return pieces;
}

function plainOf(pieces: Piece[]): string {
  return pieces.map((each) => each.words).join('');
}

function clauseOf(id: string, title: string | null, words: string): Clause {
  const pieces = piecesOf(words);
  return { id, title, pieces, plain: plainOf(pieces) };
}

const cells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((each) => each.trim());

/** Parses a whole rules page. */
export function readRules(page: string): Rules {
  const sections: Section[] = [];
  const table: string[][] = [];
  let section: Section | null = null;
  for (const line of joined(page)) {
    const heading = /^## (.+)$/.exec(line)?.[1];
    if (heading !== undefined) {
      section = {
        key: heading
          .replace(/ \(.*/, '')
          .toLowerCase()
          .replaceAll(/[^a-z0-9]+/g, '_'),
        title: heading,
        clauses: [],
        notes: [],
      };
      sections.push(section);
      continue;
    }
    if (section === null || line.trim() === '' || /^\|[ |-]+\|$/.test(line)) continue;
    const clause = /^- \*\*([KSTPM]\d+a?)\*\* (.+)$/.exec(line);
    const row = /^\| \*\*([KSTPM]\d+a?)\*\* \|/.exec(line);
    if (clause) section.clauses.push(clauseOf(clause[1] ?? '', null, clause[2] ?? ''));
    else if (row) {
      const [, name = '', onPile = '', effect = ''] = cells(line);
      section.clauses.push(clauseOf(row[1] ?? '', name, onPile === 'see right' ? effect : `**${onPile}**: ${effect}`));
    } else if (line.startsWith('|')) {
      if (section.key === 'editions') table.push(cells(line));
    } else section.notes.push(piecesOf(line.replace(/^- /, '')));
  }
  return { sections: sections.filter((each) => each.clauses.length + each.notes.length > 0), editions: columns(table) };
}

/** Joins continuation lines with the line they belong to. */
function joined(page: string): string[] {
  const lines: string[] = [];
  for (const line of page.split('\n')) {
    const last = lines[lines.length - 1] ?? '';
    if (line !== '' && last !== '' && !/^(#|\||- )/.test(line) && !/^(#|\|)/.test(last))
      lines[lines.length - 1] = `${last} ${line.trim()}`;
    else lines.push(line);
  }
  return lines;
}

function columns(table: string[][]): Column[] {
  const [head = [], ...rows] = table;
  return head.slice(1).map((name, i) => ({
    name,
    facts: rows.map((row) => ({ name: row[0] ?? '', pieces: piecesOf(row[i + 1] ?? '') })),
  }));
}

/** Does a clause contain every word of the search? */
export function matchesSearch(clause: Clause, search: string): boolean {
  const text = `${clause.id} ${clause.title ?? ''} ${clause.plain}`.toLowerCase();
  return searchWords(search).every((word) => text.includes(word));
}

export function searchWords(search: string): string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Splits a text at the matches of the search, so that they can be highlighted. */
export function splitMatches(words: string, search: string): { words: string; mark: boolean }[] {
  const wanted = searchWords(search).map((each) => each.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  if (wanted.length === 0) return [{ words, mark: false }];
  return words
    .split(new RegExp(`(${wanted.join('|')})`, 'gi'))
    .map((part, i) => ({ words: part, mark: i % 2 === 1 }))
    .filter((part) => part.words !== '');
}

const loaded = new Map<string, Promise<Rules>>();

/** The rules of a game, loaded once. */
export function loadRules(kit: Pick<GameKit, 'name' | 'rules'>): Promise<Rules> {
  let rules = loaded.get(kit.name);
  if (rules === undefined) {
    rules =
      kit.rules === null
        ? Promise.resolve(readRules(''))
        : kit.rules.page().then(({ default: page }) => readRules(page));
    loaded.set(kit.name, rules);
  }
  return rules;
}
