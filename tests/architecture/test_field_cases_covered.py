"""Each fault of the field that this project must not repeat, with the tests that would notice it.

A table of references, checked: every case has tests, every test named here exists, is not skipped
and asserts something. What each case is about stands beside it.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]

TABLES, CASES = "app/test_tables.py", "unit/tables/test_cases.py"
FIELD, PRIVATIZE = "app/test_field_cases.py", "app/test_privatize.py"
GAUSSIAN = "unit/mechanisms/baselines/test_privacy.py"
COMPARE = "app/test_compare_mechanisms.py"
PRIVATE = "unit/test_noninterference_cases.py"
PERSONS = "app/test_person.py"
KINDS = "unit/tables/containers"
SPELLED, LAYOUT = "unit/tables/test_spellings_of_numbers.py", "unit/tables/test_layout_cases.py"
FORMATS = "unit/tables/value_formats/test_found.py"
RULES = "unit/tables/value_formats/test_rules.py"
PROPOSED = "unit/tables/test_column_kinds.py"
OF_KINDS, TYPED = "app/test_column_kinds.py", "app/test_typed_numbers.py"
UNDERSTOOD = f"{TABLES}::test_what_is_understood_is_said"
ASKED = f"{TABLES}::test_rows_of_the_field_that_do_not_line_up_are_asked_about"
SAME_CELLS = f"{TABLES}::test_the_other_cells_of_the_download_are_those_of_the_upload"

COVERED: dict[str, tuple[str, ...]] = {
    # A mark or quotes in front of the first name.
    "A01": (f"{CASES}::test_byte_order_mark_is_no_part_of_the_name", UNDERSTOOD, SAME_CELLS,
            f"{TABLES}::test_nothing_invisible_and_no_quotes_in_what_is_shown"),
    # UTF-16, with and without a mark.
    "A02": (f"{CASES}::test_utf16_opens_with_and_without_mark", UNDERSTOOD, SAME_CELLS),
    # Western Windows letters: which encoding was assumed.
    "A03": (f"{CASES}::test_says_which_encoding_was_assumed", UNDERSTOOD, SAME_CELLS),
    # Semicolons and decimal commas.
    "A04": (f"{CASES}::test_semicolons_and_decimal_commas", UNDERSTOOD, SAME_CELLS,
            f"{TABLES}::test_separator_and_decimal_mark_can_be_changed"),
    # Symbols and units around numbers.
    "A06": (f"{CASES}::test_says_why_and_offers_one_symbol",
            f"{TABLES}::test_each_reason_is_written_out_and_a_symbol_is_taken_off_on_demand",
            "unit/tables/test_columns.py::test_mixed_units_are_refused_with_two_examples",
            "unit/tables/test_columns.py::test_letters_that_are_no_unit_are_called_that"),
    # Styles of a sign: none of them is in the released cell.
    "A07": (f"{PRIVATE}::test_a07_no_style_of_a_sign_is_kept",),
    # A space before a quote.
    "A18": (f"{SPELLED}::test_a_space_before_a_quote_belongs_to_no_text_and_stays_in_the_file",),
    # A separator at the end of rows.
    "A08": (f"{CASES}::test_trailing_comma_moves_nothing", ASKED),
    # Names that are doubled or blank.
    "A09": (f"{CASES}::test_names_by_position_and_header_as_typed", SAME_CELLS,
            f"{PRIVATIZE}::test_columns_are_offered_by_position_but_for_free_text_and_names"),
    # Long IDs.
    "A10": (f"{CASES}::test_long_ids_stay_and_are_not_offered", UNDERSTOOD, SAME_CELLS),
    # NA may be Namibia; other spellings of a missing value.
    "A11": (f"{CASES}::test_words_in_text_are_no_missing_values", UNDERSTOOD, SAME_CELLS,
            f"{TABLES}::test_spellings_of_a_missing_value_are_listed_and_can_be_changed",
            "unit/tables/test_columns.py::test_every_default_spelling_is_counted_and_listed"),
    # Leading zeros.
    "A12": (f"{CASES}::test_leading_zeros", SAME_CELLS),
    # Nothing in it, no header, read a second time.
    "A13": (f"{CASES}::test_each_kind_of_nothing_has_its_own_message", UNDERSTOOD,
            f"{CASES}::test_untouched_file_comes_back_byte_for_byte_and_is_read_the_same",
            f"{PRIVATIZE}::test_what_is_no_table_gets_one_sentence_and_a_way_out",
            f"{TABLES}::test_rows_stay_as_they_are_and_can_be_left_out_by_number"),
    # Another kind of file behind the name, and names in capitals.
    "A14": (f"{CASES}::test_packed_files_and_excel_open", UNDERSTOOD,
            f"{PRIVATIZE}::test_what_is_no_table_gets_one_sentence_and_a_way_out",
            f"{TABLES}::test_endings_in_capitals_and_none_at_all_are_accepted",
            "unit/tables/test_file_types.py::test_lying_containers_are_refused_before_they_fill_memory"),
    # A stray quote swallows rows.
    "A15": (f"{CASES}::test_swallowed_rows_are_announced", UNDERSTOOD,
            f"{PRIVATIZE}::test_a_refused_file_can_be_read_after_another_choice"),
    # sep=, titles, totals, ragged rows.
    "A16": (f"{CASES}::test_sep_line_titles_totals_and_ragged_rows", UNDERSTOOD,
            f"{TABLES}::test_a_total_row_is_named_and_holds_the_page_until_something_is_said",
            f"{TABLES}::test_a_total_that_is_left_out_is_in_no_download",
            f"{TABLES}::test_a_total_that_is_kept_gets_noise_like_everybody",
            "unit/tables/test_left_out.py::test_as_if_these_rows_were_dropped_when_writing",
            f"{PRIVATE}::test_a16_ragged_rows_are_each_settled_by_what_is_said_of_their_kind"),
    # Infinite cells.
    "A20": (f"{CASES}::test_non_finite_cells_are_counted_and_refused", UNDERSTOOD),
    # Formulas in a download.
    "A21": (f"{CASES}::test_formulas_are_made_safe_and_numbers_are_not_touched",
            f"{FIELD}::test_formulas_are_made_harmless_unless_switched_off"),
    # Letters in a spreadsheet; our own file uploaded again.
    "A23": (f"{CASES}::test_for_excel_in_utf8_with_mark", UNDERSTOOD, SAME_CELLS,
            f"{FIELD}::test_our_own_download_can_be_uploaded_again"),
    # Hundreds of columns.
    "A25": (f"{CASES}::test_many_columns",
            f"{TABLES}::test_a_wide_table_is_previewed_in_part_and_searched_quickly"),
    # Leaving a page and coming back.
    "B01": (f"{PRIVATIZE}::test_leaving_and_returning_loses_nothing",
            "browser/test_privatize_journey.py::test_moves_wrong_entries_leaving_and_returning_lose_nothing"),
    # Reruns draw nothing.
    "B02": (f"{PRIVATIZE}::test_noise_is_drawn_once_and_reruns_and_downloads_draw_none",
            f"{PRIVATIZE}::test_a_second_release_is_a_second_spend_and_says_so_before",
            "browser/test_privatize_journey.py::test_every_cell_is_checked_and_no_download_or_rerun_draws_new_noise"),
    # Small numbers.
    "B04": (f"{FIELD}::test_small_numbers_are_read_back_as_typed_and_steps_suit_their_size",),
    # Constant columns.
    "B06": (f"{CASES}::test_equal_values_are_said", UNDERSTOOD,
            f"{TABLES}::test_constant_single_and_missing_columns_draw_their_pages"),
    # Two equal charts.
    "B07": (f"{FIELD}::test_equal_columns_and_rows_draw_charts_with_keys_of_their_own", UNDERSTOOD),
    # One table's result shown for another's.
    "B08": (f"{FIELD}::test_files_that_differ_in_one_cell_are_never_taken_for_each_other",
            f"{PRIVATIZE}::test_two_sessions_with_different_tables_do_not_mix"),
    # Markup in names.
    "B09": (f"{CASES}::test_names_appear_exactly_as_typed",
            f"{PRIVATIZE}::test_names_are_shown_exactly_as_typed",
            "architecture/test_house_rules.py::test_no_html_from_text"),
    # Serving others: limits, proxies, base path.
    "B10": (f"{FIELD}::test_the_limits_of_an_upload_agree_and_are_explained_to_those_who_serve_it",
            "browser/test_base_path.py::test_everything_lives_below_the_base_path",
            "unit/tables/test_memory.py::test_reading_takes_at_most_three_times_the_file"),
    # Charts of many rows.
    "B13": (f"{FIELD}::test_what_is_sent_does_not_grow_with_the_rows",
            f"{PRIVATIZE}::test_charts_hold_bins_and_no_single_values"),
    # Missing values.
    "C01": (f"{CASES}::test_missing_values_are_counted", UNDERSTOOD,
            f"{PRIVATIZE}::test_missing_values_follow_the_chosen_policy",
            "unit/mechanisms/test_composite.py::test_missing_values_are_refused"),
    # Budgets that are none.
    "C02": ("unit/mechanisms/test_composite.py::test_refusals_name_the_argument",
            f"{PRIVATIZE}::test_no_epsilon_out_of_range_gets_through"),
    # Budgets far out.
    "C03": ("unit/test_parameters.py::test_epsilon",
            "unit/mechanisms/test_composite.py::test_extremes_work_or_are_refused_clearly",
            f"{FIELD}::test_budgets_far_from_the_usual_are_warned_of"),
    # The textbook Gaussian.
    "C04": (f"{GAUSSIAN}::test_the_analytic_gaussian_spends_exactly_its_delta",
            f"{GAUSSIAN}::test_the_classic_gaussian_fails_where_its_proof_ends",
            "app/test_compare_step.py::test_a_gaussian_without_proof_is_said_in_the_step_too"),
    # Low-order bits, and the ends of what a random number can be.
    "C05": ("unit/auditing/test_attacks.py::test_textbook_noise_tells_inputs_apart",
            "unit/auditing/test_attacks.py::test_the_lattice_does_not",
            "unit/test_field_cases.py::test_the_first_random_number_gives_a_finite_output_within_bounds",
            "unit/test_field_cases.py::test_the_last_random_number_never_ends_in_an_endless_loop"),
    # Bounds that are none.
    "C06": ("unit/test_intervals.py::test_bad_bounds_are_named",
            "unit/mechanisms/test_composite.py::test_refusals_name_the_argument",
            f"{PRIVATIZE}::test_swapped_or_equal_bounds_are_refused_and_nothing_is_lost",
            f"{PRIVATIZE}::test_what_is_no_finite_number_is_refused_and_kept_to_be_corrected"),
    # Bounds read from the data.
    "C07": (f"{PRIVATIZE}::test_bounds_start_empty_and_the_extremes_show_only_on_demand",
            f"{CASES}::test_extremes_are_given_only_when_asked_for"),
    # Whole numbers within bounds.
    "C09": (f"{FIELD}::test_whole_numbers_come_out_whole_and_within_their_outputs",
            f"{PRIVATIZE}::test_hard_bounds_that_cannot_be_kept_name_the_three_ways_out",
            f"{FIELD}::test_values_that_the_bounds_cut_are_told_beside_before_and_after",
            "unit/release/test_columns.py::test_written_values_are_points_of_the_lattice_within_the_outputs"),
    # Sensitivity from both ends.
    "C10": ("unit/statistics/test_sensitivity.py::test_whole_and_float_input_have_equal_plans",
            "unit/statistics/test_sensitivity.py::test_no_change_is_larger_than_declared_and_one_attains_it"),
    # Several releases add up.
    "C13": (f"{PRIVATIZE}::test_the_budget_is_split_exactly_over_the_columns",
            f"{PRIVATIZE}::test_a_second_release_is_a_second_spend_and_says_so_before",
            "app/test_budget.py::test_both_pages_charge_one_ledger_and_no_hash_of_the_table_is_told_to_a_browser"),
    # Speed, loops and progress.
    "C15": ("unit/test_field_cases.py::test_two_hundred_thousand_rows_take_less_than_two_seconds",
            "unit/test_field_cases.py::test_the_last_random_number_never_ends_in_an_endless_loop",
            "unit/release/test_columns.py::test_batches_keep_every_value_in_its_row"),
    # What bounds cut, before and after.
    "D01": (f"{FIELD}::test_values_that_the_bounds_cut_are_told_beside_before_and_after",),
    # What epsilon does.
    "D02": (f"{FIELD}::test_what_epsilon_does_is_said_beside_it_with_an_error_in_the_columns_unit",
            f"{COMPARE}::test_lines_are_closed_forms_points_lie_on_them_and_epsilon_is_explained"),
    # Why two budgets look alike.
    "D03": (f"{COMPARE}::test_a_thousand_rows_hide_the_difference_and_thirty_show_it",),
    # Noise on rows or on the answer.
    "D04": ("app/test_compare_step.py::test_column_and_mean_beside_the_usual_rivals_cost_nothing",
            "app/test_statistic.py::test_the_mean_row_by_row_is_far_less_exact_and_uses_what_was_released"),
    # A cell too many carries a true value past its column.
    "E01": (f"{PRIVATE}::test_no_release_of_such_rows_before_something_is_said",
            f"{PRIVATE}::test_e01_a_name_with_a_comma_is_joined_and_no_true_value_stays",
            f"{PRIVATE}::test_e01_decimals_with_a_comma_are_joined_and_no_true_digit_stays",
            f"{PRIVATE}::test_e01_a_long_row_is_left_out_whole",
            f"{PRIVATE}::test_e01_how_many_rows_are_long_is_not_how_many_columns_there_are"),
    # Typed numbers that can be read in two ways.
    "E02": (f"{TYPED}::test_both_readings_are_presses",
            f"{TYPED}::test_what_can_be_read_in_one_way_is_taken",
            "unit/test_typed_numbers.py::test_what_the_app_writes_is_read_as_it_is_written"),
    # Cells with a unit and a mark that may be of decimals or of thousands.
    "E03": (f"{SPELLED}::test_cells_with_a_unit_vote_on_the_decimal_mark",
            f"{SPELLED}::test_where_all_readings_fit_both_are_said",
            f"{SPELLED}::test_a_zero_begins_no_group_of_thousands",
            f"{TYPED}::test_a_column_in_doubt_is_asked_for_its_decimal_mark"),
    # Thousands, decimals and a unit at once.
    "E04": (f"{SPELLED}::test_each_column_votes_for_itself",
            f"{SPELLED}::test_the_file_decides_for_no_column_and_lists_outvote_none"),
    # Lists of codes pass for decimals.
    "E05": (f"{SPELLED}::test_lists_of_codes_are_text_until_the_owner_says_otherwise",
            f"{SPELLED}::test_the_file_decides_for_no_column_and_lists_outvote_none"),
    # A person with several rows, and nobody asks.
    "E06": (f"{PERSONS}::test_no_step_can_be_seen_before_it_is_said_whose_privacy_it_is",
            f"{PERSONS}::test_a_person_with_three_rows_spends_three_or_each_row_a_third",
            "unit/tables/test_repeats.py::test_patients_with_several_visits"),
    # A comment is a person and gets a number.
    "E07": (f"{PRIVATE}::test_e07_a_comment_gets_no_number_and_is_kept_or_left_out",
            f"{PRIVATE}::test_e07_a_row_that_begins_with_a_missing_spelling_is_no_comment",
            f"{LAYOUT}::test_a_comment_is_no_row_and_stays_as_it_came"),
    # Rows of questions below the names, and of units.
    "E08": (f"{LAYOUT}::test_several_rows_of_names",
            "app/test_layout.py::test_more_header_rows_are_asked_about_with_one_press"),
    "E09": (f"{LAYOUT}::test_several_rows_of_names",
            "app/test_layout.py::test_more_header_rows_are_asked_about_with_one_press"),
    # Limits of an instrument.
    "E10": (f"{RULES}::test_limits_are_released_as_plain_numbers",
            f"{OF_KINDS}::test_limits_count_as_numbers_by_the_chosen_rule",
            f"{SPELLED}::test_limits_are_offered_by_a_rule"),
    # Durations and times.
    "E11": (f"{FORMATS}::test_e11_times_of_a_race_are_durations_and_laps_are_asked_about",
            f"{OF_KINDS}::test_what_can_be_read_in_two_ways_is_asked_with_an_example_of_each"),
    # Digits of other scripts.
    "E13": (f"{SPELLED}::test_the_minus_of_typesetters_and_digits_of_other_scripts",
            f"{SPELLED}::test_released_numbers_have_the_digits_of_the_column_and_the_plan_says_so"),
    # JSON that is no list of rows, and JSON lines.
    "E14": (f"{KINDS}/test_opening.py::test_json_in_gzip_and_with_names_that_come_late",
            f"{KINDS}/test_guards.py::test_what_is_no_table_is_named_with_a_way_out"),
    # Dates, also such as numbers.
    "E16": (f"{FORMATS}::test_e16_five_ways_to_write_a_day",
            f"{OF_KINDS}::test_dates_take_bounds_as_they_are_written_or_as_iso"),
    # Answers in words, yes and no.
    "E17": (f"{PROPOSED}::test_steps_of_a_scale_stand_in_its_order",
            f"{OF_KINDS}::test_a_scale_is_released_by_what_the_receiver_needs"),
    "E18": (f"{PROPOSED}::test_yes_and_no_in_many_languages_are_categories",
            f"{OF_KINDS}::test_each_column_is_offered_with_the_kind_that_its_cells_suggest"),
    # Which line holds the names.
    "E19": (f"{LAYOUT}::test_sections_above_the_table_leave_the_names_to_a_lower_line",
            "app/test_layout.py::test_which_line_holds_the_names"),
    # Totals in other languages and cases.
    "E20": (f"{LAYOUT}::test_totals_in_many_languages",
            f"{LAYOUT}::test_a_word_for_a_total_is_compared_by_casefold"),
    # The quotes of the true value stay.
    "E21": (f"{PRIVATE}::test_e21_either_all_released_cells_are_quoted_or_none",
            f"{PRIVATE}::test_e21_one_other_wage_changes_no_byte"),
    # A filled cell can be told from the others.
    "E22": (f"{PRIVATE}::test_e22_a_filled_cell_looks_like_any_other",
            f"{PRIVATE}::test_e22_a_missing_cell_that_is_kept_is_written_like_any_other"),
    # A short row stays short around its filled cell.
    "E23": (f"{PRIVATE}::test_no_release_of_such_rows_before_something_is_said",
            f"{PRIVATE}::test_e23_a_short_row_is_completed_around_its_cell",
            f"{PRIVATE}::test_e23_a_short_row_is_left_out_whole"),
    # What a column is flips with one cell.
    "E24": ("app/test_statistic.py::test_what_a_column_is_never_turns_with_one_cell",
            "app/test_statistic.py::test_one_cell_moves_a_count_by_one_and_no_word_that_is_published"),
}  # fmt: skip

TO_BE_COVERED = {
    "A": [1, 2, 3, 4, *range(6, 17), 18, 20, 21, 23, 25],
    "B": [1, 2, 4, *range(6, 11), 13],
    "C": [*range(1, 8), 9, 10, 13, 15],
    "D": [1, 2, 3, 4],
    "E": [*range(1, 12), 13, 14, *range(16, 25)],
}


def wrong(reference: str, root: Path = TESTS) -> str:
    """What is wrong with a reference to a test, or to a file of tests; empty if it holds."""
    file, _, name = reference.partition("::")
    if not (root / file).is_file():
        return f"no file {file}"
    if not name:
        return ""
    tree = ast.parse((root / file).read_text(encoding="utf-8"))
    found = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == name]
    if len(found) != 1:
        return f"{len(found)} tests {name} in {file}"
    if any("skip" in ast.unparse(d) or "xfail" in ast.unparse(d) for d in found[0].decorator_list):
        return f"{name} is skipped"
    calls = [ast.unparse(n.func) for n in ast.walk(found[0]) if isinstance(n, ast.Call)]
    own = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    asserts = any(isinstance(n, ast.Assert) for n in ast.walk(found[0]))
    if not asserts and "pytest.raises" not in calls and not own & set(calls):
        return f"{name} asserts nothing"
    return ""


def test_no_case_is_forgotten() -> None:
    ids = [f"{letter}{number:02}" for letter, some in TO_BE_COVERED.items() for number in some]
    assert sorted(COVERED) == sorted(ids)
    assert all(COVERED.values())


@pytest.mark.parametrize("case", COVERED)
def test_every_case_has_tests_that_run_and_say_something(case: str) -> None:
    assert [problem for each in COVERED[case] if (problem := wrong(each))] == []


def test_references_that_lead_nowhere_are_seen(tmp_path: Path) -> None:
    (tmp_path / "test_x.py").write_text(
        "import pytest\n"
        "def test_empty():\n    pass\n"
        "@pytest.mark.skip\ndef test_later():\n    assert 1\n"
        "def test_good():\n    assert 1\n"
    )
    names = ["test_good", "test_empty", "test_later", "test_none"]
    problems = [wrong(f"test_x.py::{name}", tmp_path) for name in names]
    assert problems[0] == ""
    assert "asserts nothing" in problems[1]
    assert "skipped" in problems[2]
    assert "0 tests" in problems[3]
    assert "no file" in wrong("test_y.py::test_good", tmp_path)
