// The game that the peers play: four players in turn put a card of their hand on the pile and take the lowest one of it.
// Its View has the fields and the size of Karma's, and what just happened; its rules are far cheaper than Karma's.
const RANKS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13', 'GIV', 'TAB', 'BOT'];
const HAND = 6;

function shuffled() {
  const deck = [0, 1, 2, 3].flatMap(() => RANKS);
  for (let i = deck.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  return deck;
}

/** A fresh table. */
function deal() {
  const deck = shuffled();
  return {
    hands: [0, 1, 2, 3].map(() => deck.splice(0, HAND)),
    faceUp: [0, 1, 2, 3].map(() => deck.splice(0, 3)),
    pile: deck.splice(0, 8),
    removed: deck.splice(0, 12),
    turn: 0,
    turns: 0,
    events: [],
  };
}

/** Makes a move in place: the card at this position of the hand. Returns whether it was legal. */
function play(table, player, position) {
  if (player !== table.turn || !(position >= 0 && position < HAND)) return false;
  const card = table.hands[player][position];
  table.pile.push(card);
  table.hands[player][position] = table.pile.shift();
  table.turn = (player + 1) % 4;
  table.turns += 1;
  table.events = [
    { event: 'cards_played', player, seat: player, from: 'hand', card, count: 1 },
    { event: 'turn_began', player: table.turn, seat: table.turn, again: false },
  ];
  return true;
}

/** What one player may know. */
function view(table, viewer) {
  return {
    game: 'mini',
    viewer,
    edition: 'classic',
    options: {},
    dealer: 2,
    turn: table.turn,
    turns: table.turns,
    direction: 1,
    discard_pile: table.pile,
    removed: table.removed,
    lost_turns: [0, 0, 0, 0],
    out: [],
    draw_agreed: [],
    seats: table.hands.map((hand, player) => ({
      player,
      hand_size: hand.length,
      hand: player === viewer ? hand : null,
      face_up: table.faceUp[player],
      face_down: [{ card: null }, { card: null }, { card: null }],
      cards: hand.length + 6,
    })),
    draw_pile: 0,
    asks_for: { low: 5, high: 16 },
    awaits: [{ player: table.turn, question: 'play' }],
    moves: viewer === table.turn ? table.hands[viewer].map(card => `play ${card}`) : [],
    anytime: ['offer draw'],
    has_chosen: [],
    ending: null,
    events: table.events,
  };
}

module.exports = { deal, play, view };
