// Formats catalogue sentences with parameters for one reader. Same algorithm as src/threefold/texts/__init__.py;
// a test compares the results.

import { PARAMETERS, type Json, type Parameters, type Text } from '../generated/texts.ts';

export type { Json, Parameters, Text };
export type Sentence = string | Choice;
export interface Choice {
  by: string;
  other: Sentence;
  [branch: string]: Sentence;
}
export type Catalogue = { [key: string]: Sentence };
export interface Names {
  players: readonly string[];
  cards: { readonly [code: string]: string };
}
const PLURAL_RULES = new Map<string, Intl.PluralRules>();
export const NO_NAMES: Names = { players: [], cards: {} };

/** How many identical cards lie on top; the last card is the top one. */
function sizeOfRun(cards: readonly string[]): number {
  const other = [...cards].reverse().findIndex((each) => each !== cards.at(-1));
  return other < 0 ? cards.length : other;
}

/** Parameter -> the parameters that it is derived from, and how. It is null if one of them is. */
const DERIVED: { [name: string]: [sources: string[], derive: (...values: never[]) => Json] } = {
  one_card: [['card'], (card: string) => [card]],
  copies: [['card', 'count'], (card: string, count: number) => Array<Json>(count).fill(card)],
  run: [['cards'], (cards: string[]) => cards.slice(cards.length - sizeOfRun(cards))],
  rest: [['cards'], (cards: string[]) => cards.slice(0, cards.length - sizeOfRun(cards))],
  movers: [['moved'], (moved: { player: number }[]) => moved.map((each) => each.player)],
  margin: [['n'], (n: number) => n],
};

export function formatText(
  text: Text,
  catalogue: Catalogue,
  language: string,
  viewer: number | null = null,
  names: Names = NO_NAMES,
): string {
  const words = new TextFormatter(catalogue, language, viewer, names).format(text.key, text.parameters ?? {});
  return /[.!?]$/.test(words) ? words.slice(0, 1).toUpperCase() + words.slice(1) : words;
}

class TextFormatter {
  private readonly sentences: Catalogue;
  private readonly language: string;
  private readonly viewer: number | null;
  private readonly names: Names;

  constructor(sentences: Catalogue, language: string, viewer: number | null, names: Names) {
    this.sentences = sentences;
    this.language = language;
    this.viewer = viewer;
    this.names = names;
  }

  format(key: string, parameters: Parameters): string {
    let sentence = this.sentences[key];
    if (sentence === undefined) return key;
    while (typeof sentence !== 'string') sentence = this.chooseBranch(sentence, parameters);
    return sentence.replace(/\{\{|\}\}|\{(\w+)\}/g, (whole, name?: string) =>
      name === undefined ? whole.slice(1) : this.formatValue(name, this.valueOf(name, parameters)),
    );
  }

  private valueOf(name: string, parameters: Parameters): Json | undefined {
    const derived = DERIVED[name];
    if (derived === undefined) return parameters[name];
    const [sources, derive] = derived;
    const values = sources.map((each) => parameters[each] ?? null);
    return values.includes(null) ? null : derive(...(values as never[]));
  }

  private chooseBranch(choice: Choice, parameters: Parameters): Sentence {
    const value = this.valueOf(choice.by, parameters);
    const type = PARAMETERS[choice.by];
    if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
      return choice['none'] ?? choice.other;
    const alone = type === 'players' && (value as number[]).length === 1 ? (value as number[])[0] : null;
    const keys =
      (type === 'player' && value === this.viewer) || (alone !== null && alone === this.viewer) ? ['you'] : [];
    // A branch for this very value goes before the plural category of its number. A list counts its items.
    const counted = Array.isArray(value) ? value.length : value;
    if (typeof counted !== 'object') keys.push(String(counted));
    if (typeof counted === 'number' && (type === 'number' || Array.isArray(value)))
      keys.push(this.pluralCategory(counted));
    const key = keys.find((each) => each !== 'by' && each in choice) ?? 'other';
    return choice[key] ?? choice.other;
  }

  /** The plural category of a number by CLDR: zero, one, two, few, many or other. */
  private pluralCategory(number: number): string {
    let rules = PLURAL_RULES.get(this.language);
    if (rules === undefined) {
      rules = new Intl.PluralRules(this.language);
      PLURAL_RULES.set(this.language, rules);
    }
    return rules.select(number);
  }

  private formatValue(name: string, value: Json | undefined): string {
    if (value === null || value === undefined) return '–';
    const [type, start = ''] = (PARAMETERS[name] ?? '').split(':');
    switch (type) {
      case 'player':
        return this.player(value as number);
      case 'players':
        return this.joinList((value as number[]).map((each) => this.player(each)));
      case 'card':
        return this.card(value as string);
      case 'cards':
        return this.cards(value as string[]);
      case 'word':
        return this.format(`${start}.${value as string}`, {});
      case 'words':
        return (value as string[]).map((each) => this.format(`${start}.${each}`, {})).join('; ');
      case 'texts':
        return (value as Text[]).map((each) => this.format(each.key, each.parameters ?? {})).join(' ');
      case 'seconds':
        return this.seconds(value as number);
      default:
        return typeof value === 'object' ? JSON.stringify(value) : String(value);
    }
  }

  private player(value: number): string {
    if (value === this.viewer) return this.format('you', {});
    return this.names.players[value] ?? this.format('player', { n: value });
  }

  private card(value: string): string {
    const name = this.names.cards[value] ?? this.sentences[`card.${value}`];
    return typeof name === 'string' ? name : value;
  }

  private cards(values: readonly string[]): string {
    const counted = new Map<string, number>();
    for (const each of values) counted.set(each, (counted.get(each) ?? 0) + 1);
    return this.joinList([...counted].map(([card, n]) => this.copies(card, n)));
  }

  /** Several of one card: "an 8", "three 10s". */
  private copies(card: string, n: number): string {
    const name = this.card(card);
    return this.format(/^\d+$/.test(name) ? 'cards.number' : 'cards.named', { n, name });
  }

  private seconds(milliseconds: number): string {
    return this.format('decimal', {
      first: Math.floor(milliseconds / 1000),
      last: String(milliseconds % 1000).padStart(3, '0'),
    });
  }

  private joinList(words: readonly string[]): string {
    if (words.length < 2) return words.join('');
    return this.format('list', { first: words.slice(0, -1).join(', '), last: words[words.length - 1] ?? '' });
  }
}
