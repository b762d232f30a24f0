/* Random games of Karma in C: the bound that the engine is measured against.
 *
 * Classic and Mini Round, one deck, two to six players, all their rules (the clauses are named where they are carried
 * out). It is laid out as the engine is, with counts for each kind, lists every legal move in the engine's order and
 * draws one with the engine's own generator: from the same four words it plays the very same games, move by move.
 * tests/karma/packed holds it to that. bench_peers.py compiles it; nothing else needs it.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { SEATS = 6, KINDS = 20, CARDS = 60, PLACES = 3, NUMBERS = 16, HIGHEST = 16, MOST_MOVES = 64 };
enum { GIVE_THE_PILE = 16, PLAY_A_TABLE_CARD = 17, BOTTOMS_UP = 18, FIVE_OR_BELOW = 19, NONE = -1 };
enum { NOWHERE, HAND, FACE_UP, FACE_DOWN };
enum { CHOOSE_FACE_UP = 1, PLAY = 2, FLIP = 3, PICK_UP = 4, CHOOSE_PLAYER = 5, DECLINE = 8 };
enum { ONE_LEFT = 1, TURN_LIMIT = 3 };

typedef struct {
    int copies;    /* of each kind */
    int clears_at; /* K16 */
    int players;
    int64_t turn_limit; /* K24; 0 is none */
} Rules;

typedef struct {
    uint8_t hand[SEATS][KINDS]; /* how many of each kind */
    uint8_t hand_size[SEATS];
    int8_t face_up[SEATS][PLACES]; /* kind or NONE */
    uint8_t face_up_size[SEATS];
    int8_t face_down[SEATS][PLACES];
    uint8_t face_down_size[SEATS];
    uint8_t draw_pile[CARDS]; /* the last is drawn first */
    int draw_size;
    uint8_t discard_pile[CARDS]; /* the last is on top */
    int discard_size;
    bool out[SEATS];
    int player; /* whose turn it is */
    bool again; /* K19 */
    int64_t turns;
    int ending;
    int loser;
} Table;

typedef struct {
    int32_t move[MOST_MOVES];
    int count;
    int64_t made; /* in all games so far */
} Moves;

typedef struct {
    uint32_t word[4];
} Random;

typedef struct {
    int64_t (*row)[2]; /* player and move, as they were made */
    int64_t size;
    int64_t room;
} Trace;

/* ---------------------------------------------------------------- The generator: sfc32, and numbers below n */

static inline uint32_t next_bits(Random *random) {
    uint32_t *word = random->word;
    uint32_t bits = word[0] + word[1] + word[3]++;
    word[0] = word[1] ^ word[1] >> 9;
    word[1] = word[2] + (word[2] << 3);
    word[2] = (word[2] << 21 | word[2] >> 11) + bits;
    return bits;
}

static inline int below(Random *random, uint32_t n) {
    for (;;) {
        uint64_t product = (uint64_t)next_bits(random) * n;
        uint32_t rest = (uint32_t)product;
        if (rest >= n || rest >= -n % n) return (int)(product >> 32); /* what would be unfair is less than n */
    }
}

/* ---------------------------------------------------------------- Moves */

static inline int32_t move_of(int what, int first, int second, int third) {
    return what | first << 8 | second << 16 | third << 24;
}

static inline int first_of(int32_t move) { return move >> 8 & 255; }
static inline int second_of(int32_t move) { return move >> 16 & 255; }
static inline int third_of(int32_t move) { return move >> 24 & 255; }

static inline void add(Moves *moves, int32_t move) { moves->move[moves->count++] = move; }

/* Any of the moves listed, each as likely as the others. */
static inline int32_t any(Moves *moves, Random *random, Trace *trace, int player) {
    int32_t move = moves->move[below(random, (uint32_t)moves->count)];
    moves->made++;
    if (trace->size < trace->room) {
        trace->row[trace->size][0] = player;
        trace->row[trace->size][1] = move;
        trace->size++;
    }
    return move;
}

/* ---------------------------------------------------------------- K1–K5: set-up */

static inline void put_in_hand(Table *t, int seat, int kind, int count) {
    t->hand[seat][kind] += count;
    t->hand_size[seat] += count;
}

static void shuffle_and_deal(const Rules *rules, Table *t, Random *random) {
    memset(t, 0, sizeof *t);
    memset(t->face_up, NONE, sizeof t->face_up);
    for (int kind = 0; kind < KINDS; kind++)
        for (int copy = 0; copy < rules->copies; copy++) t->draw_pile[t->draw_size++] = (uint8_t)kind;
    for (int i = t->draw_size - 1; i > 0; i--) {
        int j = below(random, (uint32_t)i + 1);
        uint8_t card = t->draw_pile[i];
        t->draw_pile[i] = t->draw_pile[j];
        t->draw_pile[j] = card;
    }
    int dealer = below(random, (uint32_t)rules->players);
    for (int dealt = 0; dealt < 3 + 6; dealt++) {
        for (int i = 0; i < rules->players; i++) {
            int seat = (dealer + 1 + i) % rules->players;
            int kind = t->draw_pile[--t->draw_size];
            if (dealt < PLACES)
                t->face_down[seat][dealt] = (int8_t)kind;
            else
                put_in_hand(t, seat, kind, 1);
        }
    }
    for (int seat = 0; seat < rules->players; seat++) t->face_down_size[seat] = PLACES;
    t->player = (dealer + 1) % rules->players;
}

static void list_face_up_choices(const Table *t, int seat, Moves *moves) {
    const uint8_t *hand = t->hand[seat];
    for (int a = 0; a < KINDS; a++) {
        if (hand[a] == 0) continue;
        for (int b = a; b < KINDS; b++) {
            if (hand[b] <= (a == b)) continue;
            for (int c = b; c < KINDS; c++)
                if (hand[c] > (a == c) + (b == c)) add(moves, move_of(CHOOSE_FACE_UP, a, b, c));
        }
    }
}

static void choose_face_up(const Rules *rules, Table *t, Moves *moves, Random *random, Trace *trace) {
    int32_t chosen[SEATS];
    for (int player = 0; player < rules->players; player++) {
        moves->count = 0;
        list_face_up_choices(t, player, moves);
        chosen[player] = any(moves, random, trace, player);
    }
    for (int player = 0; player < rules->players; player++) {
        int kinds[PLACES] = {first_of(chosen[player]), second_of(chosen[player]), third_of(chosen[player])};
        for (int place = 0; place < PLACES; place++) {
            put_in_hand(t, player, kinds[place], -1);
            t->face_up[player][place] = (int8_t)kinds[place];
        }
        t->face_up_size[player] = PLACES;
    }
}

/* ---------------------------------------------------------------- K6–K15: a turn */

static inline int location_of_table_cards(const Table *t, int seat) {
    return t->face_up_size[seat] > 0 ? FACE_UP : t->face_down_size[seat] > 0 ? FACE_DOWN : NOWHERE;
}

static inline int location_to_play_from(const Table *t, int seat) {
    return t->hand_size[seat] > 0 ? HAND : location_of_table_cards(t, seat);
}

static inline int location_for_a_table_card(const Table *t, int seat) {
    int location = location_of_table_cards(t, seat);
    return location == NOWHERE && t->hand_size[seat] > 0 ? HAND : location;
}

/* K7, K8, K31: the highest and lowest kind of number that may be played; kinds are numbers less one. */
static inline int lowest_asked_for(const Table *t) {
    int top = t->discard_size > 0 ? t->discard_pile[t->discard_size - 1] : PLAY_A_TABLE_CARD;
    return top < NUMBERS ? top : 0;
}

static inline int highest_asked_for(const Table *t) {
    int top = t->discard_size > 0 ? t->discard_pile[t->discard_size - 1] : PLAY_A_TABLE_CARD;
    return top == FIVE_OR_BELOW ? 5 - 1 : HIGHEST - 1;
}

static inline int identical_up_to(const Table *t, int seat, int place) {
    int count = 0;
    for (int each = 0; each <= place; each++) count += t->face_up[seat][each] == t->face_up[seat][place];
    return count;
}

/* K9: one card of a kind, two, three. All are written and the count says how many of them are meant: no branches. */
static inline void list_kind(Moves *moves, int kind, int held) {
    for (int count = 1; count <= 3; count++) moves->move[moves->count + count - 1] = move_of(PLAY, kind, count, 0);
    moves->count += held;
}

static void list_plays(const Table *t, int seat, int location, int low, int high, Moves *moves) {
    if (location == HAND) {
        const uint8_t *hand = t->hand[seat];
        for (int kind = low; kind <= high; kind++) list_kind(moves, kind, hand[kind]);
        for (int kind = NUMBERS; kind < KINDS; kind++) list_kind(moves, kind, hand[kind]);
    } else if (location == FACE_UP) {
        for (int place = 0; place < PLACES; place++) {
            int kind = t->face_up[seat][place];
            if (kind >= NUMBERS || (kind >= low && kind <= high))
                add(moves, move_of(PLAY, kind, identical_up_to(t, seat, place), 0));
        }
    } else if (location == FACE_DOWN) {
        for (int place = 0; place < PLACES; place++)
            if (t->face_down[seat][place] != NONE) add(moves, move_of(FLIP, place, 0, 0));
    }
}

static inline void take(Table *t, int seat, int location, int kind, int count) {
    if (location == HAND) {
        put_in_hand(t, seat, kind, -count);
        return;
    }
    for (int place = 0; place < PLACES; place++) {
        if (count > 0 && t->face_up[seat][place] == kind) {
            t->face_up[seat][place] = NONE;
            t->face_up_size[seat]--;
            count--;
        }
    }
}

static inline int take_face_down(Table *t, int seat, int place) {
    int kind = t->face_down[seat][place];
    t->face_down[seat][place] = NONE;
    t->face_down_size[seat]--;
    return kind;
}

static void pile_becomes_hand_cards(Table *t, int seat) {
    for (int i = 0; i < t->discard_size; i++) t->hand[seat][t->discard_pile[i]]++;
    t->hand_size[seat] += t->discard_size;
    t->discard_size = 0;
}

/* ---------------------------------------------------------------- K16–K20, K30: laying cards and clearing */

static inline void put_on_pile(Table *t, int kind, int count) {
    for (int i = 0; i < count; i++) t->discard_pile[t->discard_size++] = (uint8_t)kind;
}

/* The power that wakes, as the kind it is on; NONE after a clear or a card without one. */
static inline int lay(const Rules *rules, Table *t, int kind, int count) {
    put_on_pile(t, kind, count);
    int run = 1;
    while (run < t->discard_size && t->discard_pile[t->discard_size - 1 - run] == kind) run++;
    if (run >= rules->clears_at) {
        t->again = true;
        t->discard_size = 0;
        return NONE;
    }
    if (kind == GIVE_THE_PILE) t->discard_size -= count;
    return kind >= NUMBERS && kind != FIVE_OR_BELOW ? kind : NONE;
}

/* ---------------------------------------------------------------- K32, K33, K40–K42: the powers */

static void let_power_act(const Rules *rules, Table *t, Moves *moves, Random *random, Trace *trace, int power) {
    int player = t->player;
    while (power != NONE) {
        moves->count = 0;
        if (power == BOTTOMS_UP) {
            uint8_t bottom = t->discard_pile[0];
            memmove(t->discard_pile, t->discard_pile + 1, (size_t)t->discard_size - 1);
            t->discard_pile[t->discard_size - 1] = bottom;
            return;
        }
        if (power == GIVE_THE_PILE) {
            if (t->discard_size == 0) return;
            for (int other = 0; other < rules->players; other++)
                if (other != player) add(moves, move_of(CHOOSE_PLAYER, other, 0, 0));
            pile_becomes_hand_cards(t, first_of(any(moves, random, trace, player)));
            return;
        }
        int location = location_for_a_table_card(t, player);
        if (location == NOWHERE) return;
        list_plays(t, player, location, 0, HIGHEST - 1, moves);
        add(moves, move_of(DECLINE, 0, 0, 0));
        int32_t move = any(moves, random, trace, player);
        if ((move & 255) == DECLINE) return;
        if ((move & 255) == FLIP) {
            power = lay(rules, t, take_face_down(t, player, first_of(move)), 1);
        } else {
            take(t, player, location, first_of(move), second_of(move));
            power = lay(rules, t, first_of(move), second_of(move));
        }
    }
}

/* ---------------------------------------------------------------- K11, K15, K19, K22–K24: the end of a turn */

static inline void draw_up_to_three(Table *t, int seat) {
    while (t->hand_size[seat] < 3 && t->draw_size > 0) put_in_hand(t, seat, t->draw_pile[--t->draw_size], 1);
}

static inline int see_who_is_out(const Rules *rules, Table *t) {
    int holders = 0;
    for (int player = 0; player < rules->players; player++) {
        t->out[player] = t->hand_size[player] + t->face_up_size[player] + t->face_down_size[player] == 0;
        holders += !t->out[player];
    }
    return holders;
}

static void end_turn(const Rules *rules, Table *t) {
    if (see_who_is_out(rules, t) == 1) {
        t->ending = ONE_LEFT;
        for (int player = 0; player < rules->players; player++)
            if (!t->out[player]) t->loser = player;
        return;
    }
    if (!t->again || t->out[t->player]) {
        do t->player = t->player + 1 == rules->players ? 0 : t->player + 1;
        while (t->out[t->player]);
    }
    t->again = false;
}

static inline bool turn_begins(const Rules *rules, Table *t) {
    if (rules->turn_limit > 0 && t->turns >= rules->turn_limit) {
        t->ending = TURN_LIMIT;
        t->loser = NONE;
        return false;
    }
    t->turns++;
    return true;
}

static void take_turn(const Rules *rules, Table *t, Moves *moves, Random *random, Trace *trace) {
    int player = t->player, power = NONE;
    int location = location_to_play_from(t, player), low = lowest_asked_for(t), high = highest_asked_for(t);
    moves->count = 0;
    list_plays(t, player, location, low, high, moves);
    if (t->discard_size > 0) add(moves, move_of(PICK_UP, 0, 0, 0));
    int32_t move = any(moves, random, trace, player);
    if ((move & 255) == PICK_UP) {
        pile_becomes_hand_cards(t, player);
    } else if ((move & 255) == FLIP) {
        int kind = take_face_down(t, player, first_of(move));
        if (kind >= NUMBERS || (kind >= low && kind <= high)) {
            power = lay(rules, t, kind, 1);
        } else {
            put_on_pile(t, kind, 1);
            pile_becomes_hand_cards(t, player);
        }
    } else {
        take(t, player, location, first_of(move), second_of(move));
        power = lay(rules, t, first_of(move), second_of(move));
    }
    let_power_act(rules, t, moves, random, trace, power);
    draw_up_to_three(t, player);
    end_turn(rules, t);
}

/* ---------------------------------------------------------------- Many games */

/* Plays games one after the other; how many moves were made. The generator's `word`s are left as the last game leaves
 * them, `losses` counts up for each player and, after the players, for the games that the turn limit stopped. What was
 * moved is written to `row`, as far as it has room. */
int64_t play_games(int copies, int clears_at, int players, int64_t turn_limit, int64_t games, uint32_t *word,
                   int64_t *losses, int64_t (*row)[2], int64_t room) {
    Rules rules = {copies, clears_at, players, turn_limit};
    Trace trace = {row, 0, room};
    Moves moves = {.made = 0};
    Random random;
    Table t;
    memcpy(random.word, word, sizeof random.word);
    for (int64_t game = 0; game < games; game++) {
        shuffle_and_deal(&rules, &t, &random);
        choose_face_up(&rules, &t, &moves, &random, &trace);
        while (!t.ending && turn_begins(&rules, &t)) take_turn(&rules, &t, &moves, &random, &trace);
        losses[t.ending == ONE_LEFT ? t.loser : players]++;
    }
    memcpy(word, random.word, sizeof random.word);
    return moves.made;
}
