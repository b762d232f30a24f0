"""The socket of a table: hello, acks, resuming, words, refusals; who is kept out; who does not read."""

import asyncio
import json
import socket as sockets
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect

from tests.web.server import Guest, Server, cookie_of, guests
from threefold.live.audience import Update
from threefold.live.refusals import refuse
from threefold.web import protocol as p
from threefold.web.encoding import messages_of, refused_message
from threefold.web.limits import LARGEST_MESSAGE

Json = Any


def table(ann: httpx.Client, **plan: Json) -> str:
    made = ann.post("/api/tables", json={"game": "karma", "seats": 2, **plan})
    assert made.status_code == 201, made.text
    code: str = made.json()["code"]
    return code


def address(server: Server, code: str) -> str:
    return f"ws://127.0.0.1:{server.port}/api/tables/{code}/socket"


async def turned_away(server: Server, code: str, hello: Json, **headers: str) -> Json:
    """The refusal with which a conversation ends before it begins."""
    async with connect(address(server, code), additional_headers=headers) as line:
        await line.send(hello if isinstance(hello, str | bytes) else json.dumps(hello))
        answer = json.loads(await line.recv())
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await line.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4001
        assert answer["is"] == "refused"
        return answer


def test_who_does_not_say_hello_rightly_is_told_why(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann", "Bob") as (ann, bob):
            code, other = table(ann), table(bob)
            cookie = cookie_of(ann)
            hello = {"is": "hello", "protocol": 1, "client": "c"}
            assert (await turned_away(server, code, {**hello, "protocol": 99}, cookie=cookie))["field"] == "protocol"
            assert (await turned_away(server, code, {"is": "sit"}, cookie=cookie))["field"] == "is"
            assert (await turned_away(server, code, {**hello, "client": ""}, cookie=cookie))["field"] == "client"
            assert (await turned_away(server, code, {**hello, "x": 1}, cookie=cookie))["field"] == "x"
            assert (await turned_away(server, code, "{", cookie=cookie))["field"] == "message"
            assert (await turned_away(server, code, b"bytes", cookie=cookie))["field"] == "message"
            assert (await turned_away(server, code, hello))["field"] == "token"
            assert (await turned_away(server, code, {**hello, "token": "forged"}))["field"] == "token"
            assert (await turned_away(server, "BBBBBB", hello, cookie=cookie))["field"] == "code"
            stranger = bob.post(f"/api/tables/{other}/tokens", json={"name": "Robot"}).json()["token"]
            assert (await turned_away(server, code, {**hello, "token": stranger}))["field"] == "token"

    asyncio.run(test())


def test_pages_of_other_sites_get_no_socket(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann") as (ann,):
            for origin in ("http://evil.example", "null"):
                with pytest.raises(websockets.InvalidStatus):
                    await connect(address(server, table(ann)), origin=websockets.Origin(origin))
            own = await connect(address(server, table(ann)), origin=websockets.Origin(server.url))
            await own.close()

    asyncio.run(test())


def test_a_refused_move_says_the_clause_and_the_sentence_and_nothing_changes(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann", "Bob") as people:
            code = table(people[0])
            async with guests(server, code, people) as (ann, bob):
                assert (await ann.refused("move", move="play 7"))["text"]["key"] == "live.refusal.no_game_runs"
                await bob.ask("sit")
                await ann.ask("start")
                await ann.until(lambda: ann.view)
                refused = await ann.refused("move", move="play 7")
                assert refused["clause"] == "K3"
                assert refused["message"]
                assert (await ann.refused("move", move="pick up", game=9))["field"] == "game"
                await ann.ask("explain", move="play 7")
                assert ann.last("explained")["legal"] is False
                assert ann.last("explained")["clause"] == "K3"
                await ann.ask("hint")
                hint = ann.last("hinted")["move"]
                await ann.ask("explain", move=hint)
                assert ann.last("explained")["legal"] is True
                await ann.ask("move", move=hint)
                assert ann.view["view"]["has_chosen"] == [0]

    asyncio.run(test())


def test_a_card_just_taken_is_told_apart_from_wrong_and_costs_nothing(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann", "Bob") as people:
            code = table(people[0], game="set", variant="full", options={"call": "with take", "cooldown_ms": 0})
            async with guests(server, code, people) as (ann, bob):
                await bob.ask("sit")
                await ann.ask("start")
                await ann.play("perfect", moves=1)
                taken = next(
                    (each["cards"] for each in reversed(ann.view["view"]["taken"])),
                    None,
                )
                while taken is None:
                    await bob.play("perfect", moves=1)  # without a SET both must agree before there is more to do
                    await ann.play("perfect", moves=1)
                    taken = next((each["cards"] for each in reversed(ann.view["view"]["taken"])), None)
                take = "take " + (taken if isinstance(taken, str) else " ".join(taken))
                refused = await bob.refused("move", move=take)
                while refused["text"]["key"] == "live.refusal.called_already":  # his own last call is still open
                    refused = await bob.refused("move", move=take)
                assert refused["taken"] is True
                assert bob.view["view"]["points_lost"][1] == 0

    asyncio.run(test())


def test_messages_have_numbers_are_done_once_and_acks_are_cumulative(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann", "Bob") as people:
            code = table(people[0], seats=4)
            async with guests(server, code, people) as (_, bob):
                for n, what in ((1, {"is": "sit", "seat": 1}), (2, {"is": "sit", "seat": 99}), (3, {"is": "stand"})):
                    await bob.send({**what, "n": n})
                await bob.until(lambda: bob.ack == 3)
                assert [each["n"] for each in bob.received if each["is"] == "refused"] == [2]
                seq = bob.seq
                await bob.send({"is": "sit", "seat": 2, "n": 2})
                await bob.send({"is": "ping", "n": 4, "sent": 5})
                await bob.until(lambda: bob.last("pong"))
                assert bob.seq == seq, "an old number does nothing"
                bob.n = 4
                await bob.ask("sit", seat=3)
                await bob.drop()
                bob.welcome = None
                await bob.open(since=bob.seq)
                assert bob.welcome["ack"] == 5, "the same page learns what was done"

    asyncio.run(test())


def test_a_number_below_zero_and_a_move_without_end_are_refused_and_name_the_field(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann", "Bob") as people:
            async with guests(server, table(people[0]), people) as (ann, bob):
                await bob.ask("sit")
                await ann.ask("start")
                assert (await ann.refused("move", move="play " + "7 " * 900))["field"] == "move"
                await ann.send({"is": "ping", "n": -1})
                await ann.until(lambda: ann.last("refused")["field"] == "n")
                await ann.until(lambda: ann.view)
                chosen = ann.view["view"]["moves"][0]
                await ann.ask("move", move="  " + chosen.upper().replace(" ", "   "))
                assert ann.view["view"]["has_chosen"] == [0]

    asyncio.run(test())


def test_who_comes_back_gets_the_events_that_were_missed(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann", "Bob") as people:
            code = table(people[0])
            async with guests(server, code, people) as (ann, bob):
                await bob.ask("sit")
                await ann.ask("start")
                await bob.until(lambda: bob.view)
                await bob.play("careful", moves=1)
                since = bob.seq
                await bob.close()
                await ann.play("careful", moves=1)
                bob.view = None
                bob.welcome = None
                await bob.open(since=since)
                await bob.until(lambda: bob.view)
                assert [each["seq"] for each in bob.view["events"]] == list(range(since + 1, bob.seq + 1))
                names = [shown["event"] for each in bob.view["events"] for shown in each["events"]]
                assert "face_up_shown" in names

    asyncio.run(test())


def test_reactions_and_phrases_for_all_chat_only_if_the_host_allows_it(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann", "Bob", "Wim") as people:
            code = table(people[0])
            async with guests(server, code, people) as (ann, bob, wim):
                await wim.ask("react", reaction="👏")
                await bob.ask("phrase", phrase="good_luck")
                await ann.until(lambda: len([each for each in ann.received if each["is"] == "said"]) == 2)
                assert ann.last("said")["what"] == "good_luck"
                assert (await bob.refused("react", reaction="💣"))["field"] == "reaction"
                assert (await bob.refused("phrase", phrase="rude"))["field"] == "phrase"
                assert (await bob.refused("chat", text="hello"))["text"]["key"] == "live.refusal.chat_is_off"
                await ann.ask("change", settings={**ann.table["settings"], "chat": True})
                await bob.ask("chat", text=" hello \u202e\n there ")
                await ann.until(lambda: ann.last("said")["sort"] == "chat")
                assert ann.last("said")["what"] == "hello there"
                assert (await bob.refused("chat", text="x" * 999))["field"] == "text"
                assert (await bob.refused("chat", text=" \n"))["field"] == "text"
                await ann.ask("mute", guest=1)
                assert (await bob.refused("react", reaction="👏"))["text"]["key"] == "live.refusal.muted"
                assert (await bob.refused("mute", guest=0))["text"]["key"] == "live.refusal.only_host"

    asyncio.run(test())


def test_the_host_closes_the_table_for_good(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann", "Bob") as people:
            code = table(people[0])
            async with guests(server, code, people) as (ann, bob):
                assert (await bob.refused("close_table"))["text"]["key"] == "live.refusal.only_host"
                await ann.send({"is": "close_table", "n": 1})
                await bob.until(lambda: bob.closed)
                assert bob.last("bye")["reason"] == "closed"
            assert people[0].get(f"/api/tables/{code}").status_code == 404

    asyncio.run(test())


def test_a_removed_person_is_shown_the_door(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann", "Bob") as people:
            code = table(people[0])
            async with guests(server, code, people) as (ann, bob):
                await ann.ask("remove", guest=1)
                await bob.until(lambda: bob.closed)
                assert bob.last("bye")["reason"] == "removed"
                hello = {"is": "hello", "protocol": 1, "client": "c"}
                again = await turned_away(server, code, hello, cookie=cookie_of(people[1]))
                assert again["text"]["key"] == "live.refusal.removed"

    asyncio.run(test())


def test_too_many_sockets_too_many_words_and_floods_are_stopped(tmp_path: Path) -> None:
    async def test(limited: Server) -> None:
        with limited.people("Ann") as (ann,):
            code = table(ann)
            found = [await Guest(limited, code, cookie=cookie_of(ann)).open() for _ in range(3)]
            hello = {"is": "hello", "protocol": 1, "client": "c"}
            refused = await turned_away(limited, code, hello, cookie=cookie_of(ann))
            assert refused["text"]["key"] == "live.refusal.too_many_lines"
            for _ in range(6):
                await found[0].ask("react", reaction="👏")
            assert (await found[0].refused("react", reaction="👏"))["text"]["key"] == "live.refusal.too_fast"
            for n in range(100, 180):
                await found[0].send({"is": "ping", "n": n})
            await found[0].until(lambda: found[0].ack == 179)
            assert not found[0].closed, "a little too fast is answered"
            while not found[1].closed:
                try:
                    await found[1].send("{")
                except websockets.ConnectionClosed:
                    break
            await found[1].until(lambda: found[1].closed)
            for each in found:
                await each.close()

    with Server(tmp_path, THREEFOLD_SOCKETS_PER_PERSON="3") as limited:
        asyncio.run(test(limited))


def test_a_message_too_large_is_refused_and_the_socket_survives(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann") as (ann,):
            async with guests(server, table(ann), [ann]) as (guest,):
                guest.n = 1
                await guest.send(json.dumps({"is": "chat", "n": guest.n, "text": "x" * LARGEST_MESSAGE}))
                await guest.until(lambda: guest.last("refused"))
                assert guest.last("refused")["field"] == "message"
                await guest.ask("ping")
                assert guest.last("pong")

    asyncio.run(test())


def test_a_reader_who_never_reads_delays_nobody_and_costs_nothing(tmp_path: Path) -> None:
    """Somebody opens a socket, watches, and never reads; the others play on as if nobody were there."""

    async def test(own: Server) -> None:
        with own.people("Ann", "Bob", "Sloth") as people:
            options = {"cooldown_ms": 0, "call": "with take"}
            code = table(people[0], game="set", variant="twenty_twenty", options=options)
            stuck = []
            for i in range(20):
                raw = sockets.socket()
                raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
                raw.connect(("127.0.0.1", own.port))
                raw.sendall(
                    f"GET /api/tables/{code}/socket HTTP/1.1\r\nHost: 127.0.0.1:{own.port}\r\nUpgrade: websocket\r\n"
                    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                    f"Cookie: {cookie_of(people[2])}\r\n\r\n".encode()
                )
                assert b" 101 " in raw.recv(1000), "the last that it reads"
                hello = json.dumps({"is": "hello", "protocol": 1, "client": f"sloth{i}"}).encode()
                raw.sendall(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)
                stuck.append(raw)
            async with guests(own, code, people[:2]) as (ann, bob):
                await bob.ask("sit")
                await ann.ask("start")
                await ann.until(lambda: [each["here"] for each in ann.table["guests"]] == [True] * 3)
                before = own.memory()
                sent = 0
                for _ in range(600):
                    await ann.send({"is": "move", "n": ann.n + 1, "move": "ask"})
                    ann.n += 1
                    await ann.until(lambda: ann.ack >= ann.n)
                    sent += len(ann.raw[-1])
                    if ann.view["view"]["personal"][0].count(None) == 0:
                        await bob.ask("react", reaction="👏")
                grown = own.memory() - before
                assert grown < 12_000_000, f"{grown} bytes, though {20 * sent} were not read"
            for raw in stuck:
                raw.close()

    with Server(tmp_path, THREEFOLD_RATES="0") as own:
        asyncio.run(test(own))


# ---------------------------------------------------------------- Anything at all

WORDS = ["hello", "sit", "stand", "leave", "concede", "bot_sits", "bot_stands", "change", "pass_host", "remove",
         "mute", "start", "ready", "move", "pause", "resume", "stand_in", "skip", "react", "phrase", "chat", "explain",
         "hint", "ping", "probed", "nonsense"]  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "n": st.integers(-3, 40) | JSON,
        "seat": st.integers(-2, 9) | JSON,
        "guest": st.integers(-2, 9) | JSON,
        "bot": st.sampled_from(["careful", "random", "nobody"]) | JSON,
        "move": st.sampled_from(["pick up", "play 7", "face up 1 2 3", "flip 1", "offer draw", "call"]) | JSON,
        "game": st.integers(-1, 3) | JSON,
        "setup": st.just({"edition": "mini_round"}) | JSON,
        "settings": st.just({"seats": 3}) | JSON,
        "muted": st.booleans(),
        "ready": st.booleans(),
        "text": st.text(max_size=300),
        "reaction": st.sampled_from(["👍", "x"]),
        "phrase": st.sampled_from(["hello", "x"]),
        "token": st.text(max_size=30),
        "client": st.text(max_size=50),
        "protocol": st.integers(),
        "since": st.integers() | st.none(),
        "sent": st.integers(),
        "mark": st.text(max_size=20) | JSON,
        "stranger": JSON,
    },
)
MESSAGES = st.one_of(
    st.builds(lambda word, fields: json.dumps({"is": word, **fields}), st.sampled_from(WORDS), FIELDS),
    st.builds(json.dumps, JSON),
    st.text(max_size=200),
    st.binary(max_size=60),
    st.just('{"is":"chat","text":"' + "x" * 20_000 + '"}'),
    st.just("[" * 3000),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(MESSAGES, max_size=25), st.booleans())
def test_whatever_is_sent_is_answered_and_the_socket_survives(
    server: Server,
    messages: list[str | bytes],
    as_host: bool,  # noqa: FBT001 (drawn by Hypothesis)
) -> None:
    async def test() -> None:
        with server.people("Ann", "Bob") as people:
            code = table(people[0], seats=3, bots=["random"])
            async with guests(server, code, people) as (ann, bob):
                await ann.ask("start")
                speaker, other = (ann, bob) if as_host else (bob, ann)
                for message in messages:
                    await speaker.send(message)
                await speaker.send({"is": "ping", "sent": 4242})
                await speaker.until(
                    lambda: speaker.closed or any(each.get("sent") == 4242 for each in speaker.received)
                )
                assert not speaker.closed
                for each in speaker.received:
                    if each["is"] == "refused":
                        assert each["message"]
                        assert "None" not in each["message"]
                await other.send({"is": "ping", "sent": 4343})
                await other.until(lambda: other.closed or any(each.get("sent") == 4343 for each in other.received))
                assert other.closed == any(each["is"] == "bye" for each in other.received)

    asyncio.run(test())


def test_a_refusal_comes_before_the_ack_that_covers_it() -> None:
    """So a line that breaks between the two loses no refusal: what was acknowledged and not refused was done."""
    refusal = refused_message(refuse("paused"), 5)
    with_view = Update(seq=7, ack=5, notes=[refusal], view=b"{}", game=1)
    alone = Update(seq=7, ack=5, notes=[refusal])
    assert [type(each) for each in messages_of(with_view)] == [p.Refused, p.ViewShown]
    assert [type(each) for each in messages_of(alone)] == [p.Refused, p.Ack]
