// What the table says about a seat besides its cards.

/** What a seat shows besides its cards. */
export interface SeatInfo {
  turn: boolean;
  /** The bot that plays; null for a person. */
  bot: string | null;
  /** Absence in words; empty for a player who is here. */
  away?: string;
  choosable?: boolean;
  /** What the player does now, in a few words. */
  deed?: string;
  /** What the player says now. */
  speech?: string;
  /** Does the seat show the cards of its hand that the viewer knows? */
  known?: boolean;
}
