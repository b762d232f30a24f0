// The clauses of a game, read from the page that the project itself is tested against (docs/rules): one text for all.

export type GameName = 'karma' | 'set';

/** A stretch of words: plain, strong, or the name of another clause. */
export interface Piece {
  words: string;
  sort: 'plain' | 'strong' | 'code' | 'clause';
}
export interface Clause {
  id: string;
  /** The card it is about, where it is about one. */
  title: string | null;
  pieces: Piece[];
  /** The same without marks, to search in. */
  plain: string;
}
export interface Section {
  /** As a key: `the_game`. */
  key: string;
  title: string;
  clauses: Clause[];
  /** What has no number. */
  notes: Piece[][];
}
export interface Column {
  name: string;
  facts: { name: string; pieces: Piece[] }[];
}
export interface Rules {
  sections: Section[];
  /** The editions, as far as a table describes them. */
  editions: Column[];
}

/** Which game a clause belongs to: K is Karma; S, T and P are SET. */
export function gameOf(clause: string): GameName {
  return clause.startsWith('K') ? 'karma' : 'set';
}

/** Splits a line of the page into stretches; other clauses become names that can be followed. */
export function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  const marks = /\*\*(.+?)\*\*|`(.+?)`|\*(.+?)\*|\[(.+?)\]\(.+?\)|\b([KSTP]\d{1,2}a?)\b/g;
  let from = 0;
  for (const found of line.matchAll(marks)) {
    if (found.index > from) pieces.push({ words: line.slice(from, found.index), sort: 'plain' });
    const [whole, strong, code, soft, link, clause] = found;
    if (clause !== undefined) pieces.push({ words: clause, sort: 'clause' });
    else if (code !== undefined) pieces.push({ words: code, sort: 'code' });
    else pieces.push({ words: strong ?? soft ?? link ?? '', sort: strong !== undefined ? 'strong' : 'plain' });
    from = found.index + whole.length;
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

const cells = (line: string): string[] => line.split('|').slice(1, -1).map((each) => each.trim());

/** Reads a whole page of rules. */
export function readRules(page: string): Rules {
  const sections: Section[] = [];
  const table: string[][] = [];
  let section: Section | null = null;
  for (const line of joined(page)) {
    const heading = /^## (.+)$/.exec(line)?.[1];
    if (heading !== undefined) {
      section = { key: heading.replace(/ \(.*/, '').toLowerCase().replaceAll(/[^a-z0-9]+/g, '_'), title: heading, clauses: [], notes: [] };
      sections.push(section);
      continue;
    }
    if (section === null || line.trim() === '' || /^\|[ |-]+\|$/.test(line)) continue;
    const clause = /^- \*\*([KSTP]\d+a?)\*\* (.+)$/.exec(line);
    const row = /^\| \*\*([KSTP]\d+a?)\*\* \|/.exec(line);
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

/** Lines as they are meant: what is indented or follows in a paragraph belongs to the line before. */
function joined(page: string): string[] {
  const lines: string[] = [];
  for (const line of page.split('\n')) {
    const last = lines[lines.length - 1] ?? '';
    if (line !== '' && last !== '' && !/^(#|\||- )/.test(line) && !/^(#|\|)/.test(last)) lines[lines.length - 1] = `${last} ${line.trim()}`;
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

/** Does a clause hold every word that is looked for? */
export function holds(clause: Clause, sought: string): boolean {
  const text = `${clause.id} ${clause.title ?? ''} ${clause.plain}`.toLowerCase();
  return wordsOf(sought).every((word) => text.includes(word));
}

export function wordsOf(sought: string): string[] {
  return sought.toLowerCase().split(/\s+/).filter(Boolean);
}

/** A stretch of words cut where something sought begins and ends, so that it can be marked. */
export function marked(words: string, sought: string): { words: string; mark: boolean }[] {
  const wanted = wordsOf(sought).map((each) => each.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  if (wanted.length === 0) return [{ words, mark: false }];
  return words
    .split(new RegExp(`(${wanted.join('|')})`, 'gi'))
    .map((part, i) => ({ words: part, mark: i % 2 === 1 }))
    .filter((part) => part.words !== '');
}

/** Which sections and cards concern an edition of Karma or a variant of SET. */
const CARDS_OF: { readonly [edition: string]: readonly string[] } = {
  classic: ['K40', 'K41', 'K42', 'K43'],
  classic_alternative_triples: ['K41', 'K42', 'K43', 'K21'],
  second_edition: ['K44', 'K45', 'K46', 'K47', 'K48', 'K49', 'K50', 'K51', 'K60', 'K61', 'K62', 'K63', 'K64', 'K65', 'K66'],
  mini_round: ['K40', 'K41', 'K42', 'K43'],
};
const SECTIONS_OF: { readonly [variant: string]: readonly string[] } = {
  full: ['cards', 'the_game'],
  solitaire: ['cards', 'the_game', 'solitaire'],
  twenty_twenty: ['cards', '20_20_set'],
  puzzles: ['cards', 'puzzles'],
};
/** Clauses that belong to some editions only; all others hold everywhere. */
const SOMETIMES: ReadonlySet<string> = new Set(Object.values(CARDS_OF).flat());

export const WAYS: { readonly [game in GameName]: readonly string[] } = { karma: Object.keys(CARDS_OF), set: Object.keys(SECTIONS_OF) };

/** Is a clause of a section in force in this edition or variant? */
export function inForce(section: Section, clause: Clause, way: string): boolean {
  const cards = CARDS_OF[way];
  if (cards !== undefined) return !SOMETIMES.has(clause.id) || cards.includes(clause.id);
  return SECTIONS_OF[way]?.includes(section.key) ?? true;
}
