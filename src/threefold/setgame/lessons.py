"""The lessons of SET."""

from threefold.lessons import LEARNER, Lesson

LESSONS = (
    Lesson("same", "solitaire; players 1; layout 2RSO 3RSO 1RSO 2RSS 1GSS 1PSO; deck", "set_taken"),
    Lesson("different", "solitaire; players 1; layout 3GTS 2PTO 2RSD 1RSD 3GOS 1PSD; deck", "set_taken"),
    Lesson(
        "wrong",
        "solitaire; players 1; layout 1GTO 2GSS 3GSO 2RTD 1GSS 3PSS; deck",
        "wrong_set",
        point=("1GSS", "2GSS", "3PSS"),
    ),
    Lesson(
        "third",
        "solitaire; players 1; layout 1PTS 2POS 3PTD 2PTS 3POO 2PTO; deck",
        "set_taken",
        point=("1PTS", "2PTO"),
    ),
    Lesson(
        "find",
        "solitaire; players 1; layout 1GSD 2PTD 3PSD 3POS 3PSS 1RSS 2PSO 2PSD 2GTD 2GOD 3RTS 3GOD",
        "set_taken",
    ),
    Lesson(
        "call",
        "full; players 2; layout 2RSS 1GTD 2PSO 3PTS 2GSD 1ROD 3GOO 2ROS 1PTO 2GTS 1PTS 2GTD",
        "set_taken",
        {"player": LEARNER},
    ),
    Lesson(
        "none",  # without calls: after a call there would be no way to agree
        'full {"call": "with take"}; players 2;'
        " layout 3RSO 3GTO 1RSD 2GSO 3RTO 2ROO 3ROD 3GTS 3GOS 2GOO 2GOS 2RSO; agreed 1",
        "all_agreed",
    ),
    Lesson(
        "fifteen",
        "full; players 2; layout 1PTS 1ROD 1GTD 2PSD 3PTO 1GSO 2PSO 3PSO 2ROD 1PTD 3GOS 3ROO 2GTO 3GOD 2GOO;"
        " control 0 60000",
        "set_taken",
    ),
    Lesson(
        "end",
        "full; players 2; layout 3PSO 2POO 3PTS 3ROS 2RTO 3GSS; deck; control 0 60000; score 6 6; sets 6 6",
        "game_ended",
    ),
)
