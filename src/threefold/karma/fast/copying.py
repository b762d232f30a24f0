"""`copy_bytes` for compiled code: memcpy, with one short copy of fixed length for the many pieces that are short."""

from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from threefold.karma.fast.json_writer import COPY_AHEAD, copy_bytes


def _generate(typing: Any, out: Any, at: Any, source: Any, start: Any, count: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        places = []
        for array, index, kind in (
            (values[0], values[1], signature.args[0]),
            (values[2], values[3], signature.args[2]),
        ):
            data = context.make_array(kind)(context, builder, array).data
            places.append(builder.gep(data, [index]))
        short = builder.icmp_signed("<=", values[4], values[4].type(COPY_AHEAD))
        with builder.if_else(short) as (then, otherwise):
            with then:
                cgutils.raw_memcpy(builder, *places, values[4].type(COPY_AHEAD), 1)
            with otherwise:
                cgutils.raw_memcpy(builder, *places, values[4], 1)
        return context.get_dummy_value()

    return types.void(out, types.int64, source, types.int64, types.int64), generate


_copy = intrinsic(_generate)


def _compiled_form(out: Any, at: Any, source: Any, start: Any, count: Any) -> Any:
    def copying(out: Any, at: Any, source: Any, start: Any, count: Any) -> None:
        _copy(out, at, source, start, count)

    return copying


def install() -> None:
    """Gives `copy_bytes` its compiled form, for everything that is compiled after this call."""
    overload(copy_bytes)(_compiled_form)
