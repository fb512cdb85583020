"""What is tried with the library in the last steps of the course: tables, budgets and cards."""

from __future__ import annotations

from pages.sections.shared.course.examples.persons import HIGH, LOW
from pages.sections.shared.course.examples.repeats import ADA
from pages.sections.shared.course.sheet import TABLE

OF_RELEASES: dict[str, tuple[str, str]] = {
    "place": (
        "Let the class grow. How large must it be until local noise is typically off by less than "
        "2 points?",
        """
PUPILS, EPSILON, SEED = 200, 1.0, 1

results = np.linspace(*INPUTS, PUPILS)
local = cdp.CompositeMechanism(EPSILON, INPUTS)
central = cdp.CompositeMechanism(EPSILON, INPUTS, sensitivity=100 / PUPILS)
print(f"True mean: {results.mean():.2f}")
for name, mean, error in (
    ("each adds noise", local.simulate(results, seed=SEED).mean(),
     math.sqrt(local.variance(results).mean() / PUPILS)),
    ("the teacher does", central.simulate(results.mean(), seed=SEED),
     math.sqrt(central.variance(results.mean()))),
):
    print(f"{name}: {mean:.2f}, typically off by {error:.2f}")
""",
    ),
    "repetition": (
        "Publish more often, and watch the mean close in. Then set a limit, and go on.",
        f"""
TIMES, EPSILON, LIMIT, SEED = 20, 1, 8, 1

from compdp_core.accounting import Spend

mechanism, ledger = cdp.CompositeMechanism(EPSILON, INPUTS), cdp.Ledger(limit=LIMIT)
seen = mechanism.simulate(np.full(TIMES, {ADA}), seed=SEED)
for place in range(TIMES):
    try:
        ledger = ledger.charge(Spend("again", "column", "test", ["result"], EPSILON))
    except cdp.errors.CompdpError as refusal:
        print(refusal)
        break
    mean = seen[: place + 1].mean()
    print(f"{{place + 1}}: ε = {{ledger.total_by_dataset('test')}}, mean {{mean:.2f}}")
""",
    ),
    "person": (
        "Give Ada more rows. Then let her rows share one budget: what stays, and what does it "
        "cost?",
        f"""
ROWS, EPSILON, SEED = 4, 1.0, 1

for way, each in (("ε for each row", EPSILON), ("ε for Ada", EPSILON / ROWS)):
    mechanism = cdp.CompositeMechanism(each, INPUTS)
    secret = np.random.default_rng(SEED).choice([{LOW}, {HIGH}], 20_000)
    rows = mechanism.simulate(np.repeat(secret[:, None], ROWS, axis=1), seed=SEED)
    # At the very ends of the outputs neither is likelier.
    low, high = (np.maximum(mechanism.pdf(rows, value=x), 1e-12) for x in ({LOW}, {HIGH}))
    odds = np.log(high / low).sum(axis=1)
    right = np.mean((odds > 0) == (secret == {HIGH}))
    error = math.sqrt(mechanism.variance(50.0))
    print(f"{{way}}: ε = {{ROWS * each:g}} together, guessed right in {{100 * right:.1f}} %, "
          f"one result typically off by {{error:.1f}}")
""",
    ),
    "card": (
        "Find the ε that was proved, the bounds, who is protected, and what is not promised. Then "
        "change ε: what changes, and what stays?",
        f"""
EPSILON = 1

table = cdp.read_csv({TABLE!r})  # invented
plan = cdp.ColumnPlan(inputs=INPUTS, epsilon=EPSILON, kind="whole")
release = cdp.privatize(table, {{"result": plan}})
card = release.card
(item,) = card["items"]
print("Proved:", item["certificate"]["epsilon"], "of", item["epsilon"])
print("Bounds:", item["bounds"]["lower"], "to", item["bounds"]["upper"])
print("Protected:", card["privacy"]["neighbours"])
print("Not promised:", *card["not_covered"], sep="\\n- ")
""",
    ),
    "reading": (
        "Let the table grow, and watch the intervals close in. Which figure is right even as it "
        "stands?",
        """
PUPILS, EPSILON, SEED = 5_000, 2, 1

rng = np.random.default_rng(SEED)
results = np.where(rng.random(PUPILS) < 0.6, rng.normal(35, 8, PUPILS), rng.normal(75, 7, PUPILS))
table = cdp.read_csv(("result\\n" + "\\n".join(map(str, results.clip(*INPUTS).round(1)))).encode())
release = cdp.privatize(table, {"result": cdp.ColumnPlan(inputs=INPUTS, epsilon=EPSILON)})
estimates = cdp.Estimates(release.frame, release.card)
true, seen = (t.readings(0).values for t in (table, release.frame))
for name, plain, found in (
    ("mean", np.mean, estimates.mean("result", about="rows")),
    ("standard deviation", np.std, estimates.std("result")),
    ("share above 60", lambda x: np.mean(x > 60), estimates.share("result", above=60)),
):
    print(f"{name}: as it stands {plain(seen):.3f}, read with the card {found.value:.3f} "
          f"({found.low:.3f} to {found.high:.3f}), true {plain(true):.3f}")
""",
    ),
}
"""What to do, and the code, by the key of the step."""
