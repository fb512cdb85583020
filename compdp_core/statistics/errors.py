"""Refusals of a statistic. None of them repeats anything that was read from the data."""

from __future__ import annotations

from compdp_core.errors import CompdpError, ParameterError, quotable, shown


class NotOfferedError(CompdpError):
    """No useful finite sensitivity exists for this statistic in this setting.

    Depends on public facts only. Attributes: ``statistic``, ``why``, ``instead``.
    """

    def __init__(self, statistic: str, why: str, instead: str) -> None:
        self.statistic = statistic
        self.why = why
        self.instead = instead
        super().__init__(f"the {statistic} is not offered here: {why}. Instead, {instead}")


class TooFewRowsError(CompdpError):
    """The public number of rows, or of persons, is too small.

    Attributes: ``statistic``, ``rows``, ``needed``.
    """

    def __init__(self, statistic: str, rows: int, needed: int, one: str = "row") -> None:
        self.statistic = statistic
        self.rows = rows
        self.needed = needed
        super().__init__(
            f"the {statistic} needs at least {needed} {one}{'s' * (needed > 1)} and there "
            f"{'is' if rows == 1 else 'are'} {rows or 'none'}: choose a column with more values"
        )


class ValuesError(ParameterError):
    """The values of a column are not what the statistic needs; no value is quoted or kept.

    Attributes: ``column``, ``requirement``.
    """

    def __init__(self, column: str, requirement: str) -> None:
        self.name = self.column = column
        self.value = None
        self.requirement = requirement
        CompdpError.__init__(self, f"column {column!r} {requirement}")


class ConditionError(CompdpError):
    """A condition cannot be read or cannot be applied. Attributes: ``column``, ``requirement``."""

    def __init__(self, column: str, requirement: str) -> None:
        self.column = quotable(column)
        self.requirement = requirement
        super().__init__(f"the condition on column {shown(column)} {requirement}")


class UnlistedCategoryError(CompdpError):
    """Some row's category is not in the public list. Which, where and how many stay unsaid.

    That there is one is told, without any noise: only a :class:`Grouping` that was asked to refuse
    raises it.

    Attributes: ``by`` (the grouping column), ``categories`` (the public list).
    """

    def __init__(self, by: str, categories: tuple[str, ...]) -> None:
        self.by = by
        self.categories = categories
        super().__init__(
            f"column {by!r} holds something that is not in the list of {len(categories)} "
            "categories: complete the list from public knowledge, not from the data, or choose to "
            "leave other rows out"
        )
