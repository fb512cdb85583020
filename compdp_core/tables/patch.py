"""Replace many ranges of a text by new texts at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from compdp_core.tables.number_parsing import Bytes, Mask, Places


@dataclass(frozen=True)
class Edits:
    """Edit i puts a text of ``lengths[i]`` bytes in place of ``starts[i]`` to ``stops[i] - 1``.

    An edit may be an insertion (start = stop) or a deletion (length 0). Edits do not overlap;
    of two insertions at one place the earlier one comes first.
    """

    starts: Places
    stops: Places
    flat: Bytes
    """The new texts one behind the other."""
    lengths: Places

    @classmethod
    def repeated(cls, starts: Places, stops: Places, text: bytes) -> Edits:
        """The same new text everywhere."""
        flat = np.frombuffer(text * len(starts), dtype=np.uint8)
        return cls(starts, stops, flat, np.full(len(starts), len(text), dtype=np.intp))


def joined(edits: list[Edits]) -> Edits:
    """Several lists of edits in the order of their places."""
    edits = [each for each in edits if len(each.starts)] or edits[:1]
    if len(edits) == 1:
        return edits[0]
    starts = np.concatenate([e.starts for e in edits])
    lengths = np.concatenate([e.lengths for e in edits])
    order = np.argsort(starts, kind="stable")
    flat = np.concatenate([e.flat for e in edits])
    begins = np.cumsum(lengths) - lengths
    lengths = lengths[order]
    shift = begins[order] - (np.cumsum(lengths) - lengths)
    moved = flat[np.repeat(shift, lengths) + np.arange(len(flat))]
    stops = np.concatenate([e.stops for e in edits])
    return Edits(starts[order], stops[order], moved, lengths)


def splice(source: Bytes, edits: Edits) -> Bytes:
    """The text after the edits, which are in the order of their places.

    >>> import numpy as np
    >>> text = np.frombuffer(b"a,10,b", dtype=np.uint8)
    >>> new = np.frombuffer(b"9.5", dtype=np.uint8)
    >>> splice(text, Edits(np.array([2]), np.array([4]), new, np.array([3]))).tobytes()
    b'a,9.5,b'
    """
    if not len(edits.starts):
        return source
    gaps = np.append(edits.starts, len(source)) - np.append(0, edits.stops)
    result = np.empty(int(gaps.sum()) + len(edits.flat), dtype=np.uint8)
    fresh = _alternating(gaps, edits.lengths)
    result[fresh] = edits.flat
    result[~fresh] = source[~_alternating(gaps, edits.stops - edits.starts)]
    return result


def splice_part(source: Bytes, edits: Edits, begin: int, end: int) -> bytes:
    """The text from ``begin`` to ``end`` after the edits, which lie in it."""
    moved = Edits(edits.starts - begin, edits.stops - begin, edits.flat, edits.lengths)
    return splice(source[begin:end], moved).tobytes()


def _alternating(gaps: Places, runs: Places) -> Mask:
    """False for each gap, True for the run behind it."""
    counts = np.empty(len(gaps) + len(runs), dtype=np.intp)
    counts[0::2], counts[1::2] = gaps, runs
    values = np.zeros(len(counts), dtype=np.bool_)
    values[1::2] = True
    return np.repeat(values, counts)
