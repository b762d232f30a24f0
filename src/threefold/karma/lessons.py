"""The lessons of Karma."""

from threefold.lessons import LEARNER, Lesson

_OTHERS = "; 1 hand 8 9 13 up 6 11 12 down 5 14 15; 2 hand 1 7 16 up 10 13 14 down 2 4 9; turn 0"
_SIX = "; 1 hand 8 9 11 12 13 14 down 5 14 15; 2 hand 1 6 7 10 13 16 down 2 4 9; set-up"
_LATE = "; 1 hand 9 13 up 6 11 . down 5 14 15; 2 up 10 . . down 2 4 9; turn 0"

LESSONS = (
    Lesson(
        "higher",
        f"classic; 0 hand 3 7 12 up 4 9 16 down 1 6 LOW{_OTHERS}; pile 5; draw 8 2 11 3 BOT 10",
        "cards_played",
        {"player": LEARNER},
    ),
    Lesson(
        "same",
        f"classic; 0 hand 4 10 10 up 4 9 16 down 1 6 LOW{_OTHERS}; pile 2 6; draw 8 2 11 3 BOT 1",
        "cards_played",
        {"player": LEARNER, "count": 2},
    ),
    Lesson(
        "give",
        f"classic; 0 hand 2 4 GIV up 4 9 16 down 1 6 LOW{_OTHERS}; pile 8 11 15; draw 8 2 11 3 BOT 1",
        "pile_given",
        {"player": LEARNER},
    ),
    Lesson(
        "asks",
        f"classic; 0 hand 8 3 16 up 4 9 16 down 1 6 TAB{_OTHERS}; pile 12 LOW; draw 2 11 3 BOT 1",
        "cards_played",
        {"player": LEARNER},
    ),
    Lesson(
        "table",
        f"classic; 0 hand 3 6 TAB up 2 11 16 down 1 7 LOW{_OTHERS}; pile 12 15; draw 8 2 3 BOT 1",
        "cards_played",
        {"player": LEARNER, "from": "face_up"},
    ),
    Lesson(
        "bottoms",
        f"classic; 0 hand 4 7 BOT up 2 11 16 down 1 3 LOW{_OTHERS}; pile 3 10 15; draw 8 2 3 BOT 1",
        "bottom_moved_up",
        {"player": LEARNER},
    ),
    Lesson(
        "clear",
        f"classic; 0 hand 3 6 12 up 2 11 16 down 1 7 LOW{_OTHERS.replace('11 12', '11 15')}; pile 4 7 12 12;"
        " draw 8 2 3 BOT 1",
        "pile_cleared",
        {"player": LEARNER},
    ),
    Lesson(
        "pick_up",
        f"classic; 0 hand 2 3 5 up 4 11 16 down 1 7 LOW{_OTHERS}; pile 6 10 15; draw 8 2 3 BOT 1",
        "pile_picked_up",
        {"player": LEARNER},
    ),
    Lesson(
        "choose",
        f"classic; 0 hand 2 5 9 14 16 LOW down 1 6 7{_SIX}; chosen 1 12 13 14; chosen 2 10 13 16; draw 8 2 11 3 BOT 1",
        "face_up_chosen",
        {"player": LEARNER},
    ),
    Lesson(
        "face_up",
        f"classic; 0 up 4 9 12 down 1 7 LOW{_LATE}; pile 3 7",
        "cards_played",
        {"player": LEARNER, "from": "face_up"},
    ),
    Lesson("out", "classic; 0 down . 8 .; 1 hand 9 13 up 6 . .; 2; turn 0; pile 2 5", "game_ended"),
    *(
        Lesson(
            key,
            f"second_edition; 0 hand {hand} up 4 9 16 down 1 6 14{_OTHERS}; pile {pile}; draw 8 2 11 3 10",
            event,
            {"player": LEARNER},
            chapter="second_edition",
        )
        for key, hand, pile, event in (
            ("seven_to_eleven", "3 8 16", "12 711", "cards_played"),
            ("clear_card", "2 5 CLR", "6 12 15", "pile_cleared"),
            ("lose_a_turn", "2 5 LOS", "7 15", "turns_to_lose"),
            ("give_a_card", "2 5 ONE", "7 15", "card_given"),
            ("exchange", "1 2 EXC", "7 15", "hands_exchanged"),
            ("pass_right", "2 3 PAS", "7 15", "hands_passed"),
            ("change_seat", "2 5 SEA", "7 15", "seats_changed"),
            ("own", "2 5 OWN", "7 15", "direction_reversed"),
        )
    ),
)
