"""What is tried with the library in the first steps of the course: the noise on one result."""

from __future__ import annotations

from pages.sections.shared.course.pictures.bounds import EPSILON as MONEY_EPSILON
from pages.sections.shared.course.pictures.bounds import MONEY
from pages.sections.shared.course.pictures.promise import EPSILON, ONE, OTHER

OF_NOISE: dict[str, tuple[str, str]] = {
    "promise": (
        "Change the number that came out. Where do the two heights differ, and by how much at "
        "most?",
        f"""
OUTCOME = 120.0

mechanism = cdp.CompositeMechanism(epsilon={EPSILON}, inputs=INPUTS)
heights = [float(mechanism.pdf(OUTCOME, value=value)) for value in ({ONE}, {OTHER})]
print(f"Outputs lie in {{mechanism.outputs}}.")
print(f"Heights if Ada has {ONE} or {OTHER} points: {{heights[0]:.5f}}, {{heights[1]:.5f}}")
print(f"One over the other: {{max(heights) / min(heights):.4f}}, never above {{math.e:.4f}}")
""",
    ),
    "epsilon": (
        "Let the best attacker play at other ε. In a few rounds luck may pass the limit; in the "
        "long run nobody does.",
        """
EPSILON, ROUNDS, SEED = 1.0, 10_000, 1

mechanism = cdp.CompositeMechanism(epsilon=EPSILON, inputs=INPUTS)
secret = np.random.default_rng(SEED).integers(0, 2, ROUNDS)
released = mechanism.simulate(np.array(INPUTS)[secret], seed=SEED)
ends = [mechanism.pdf(released, value=value) for value in INPUTS]
right = np.mean((ends[1] > ends[0]) == secret)
limit = math.exp(EPSILON) / (1 + math.exp(EPSILON))
print(f"Right in {100 * right:.1f} % of {ROUNDS} rounds; "
      f"in the long run at most {100 * limit:.1f} %.")
""",
    ),
    "bounds": (
        "Which upper bound makes both parts of the error together smallest? Add one between them.",
        f"""
UPPER_BOUNDS = [20, 40, 60, 80, 130, 200]

money = np.array({MONEY})
for upper in UPPER_BOUNDS:
    shift = np.minimum(money, upper).mean() - money.mean()
    mean = cdp.CompositeMechanism({MONEY_EPSILON}, (0, upper), sensitivity=upper / money.size)
    noise = math.sqrt(mean.variance(upper / 2))
    print(f"up to {{upper}}: clamping {{shift:.2f}}, noise {{noise:.2f}}, "
          f"both {{math.hypot(shift, noise):.2f}}")
""",
    ),
    "clamping": (
        "Set the true value to 50, then to an end. Which noise stays right on average?",
        """
VALUE, EPSILON, SEED = 90.0, 1.0, 1

for mechanism in (
    cdp.baselines.ClampedLaplace(EPSILON, INPUTS),
    cdp.CompositeMechanism(EPSILON, INPUTS),
):
    drawn = mechanism.simulate(np.full(20_000, VALUE), seed=SEED)
    mean = VALUE + mechanism.bias(VALUE)
    print(f"{mechanism.name}: on average {mean:.2f}, in 20,000 draws {drawn.mean():.2f}")
""",
    ),
    "composite": (
        "Take other true values. How far out must the activation stand so that the average is "
        "right?",
        """
VALUE, EPSILON, SEED = 80.0, 1.0, 1

mechanism = cdp.CompositeMechanism(EPSILON, INPUTS)
middle, share = sum(mechanism.outputs) / 2, mechanism.design.S1
centre = middle + (VALUE - middle) / share
print(f"The base alone: {middle:.2f} on average, whatever Ada has.")
print(f"{100 * share:.1f} % come from the activation, which must stand around {centre:.2f}:")
print(f"{100 * share:.1f} % of {centre:.2f} and {100 - 100 * share:.1f} % of {middle:.2f} are "
      f"{share * centre + (1 - share) * middle:.2f}.")
drawn = mechanism.simulate(np.full(20_000, VALUE), seed=SEED)
print(f"The mean of 20,000 draws is {drawn.mean():.2f}.")
""",
    ),
    "shape": (
        "Which hill has most releases, and which the smallest error? What does a lower edge τ of "
        "the sinking floor do?",
        """
EPSILON, TAU = 1.0, 0.95

for name in ("A1B1", "A2B1", "A3B1", "A1B2", "A2B2", "A3B2"):
    tail = TAU if name.endswith("B2") else None
    mechanism = cdp.CompositeMechanism(EPSILON, INPUTS, pair=name, tail_ratio=tail)
    error = math.sqrt(mechanism.variance(50.0))
    print(f"{name}: {100 * mechanism.design.S1:.1f} % from the hill, typical error {error:.2f}")
""",
    ),
    "optimum": (
        "Find the best width yourself, at other ε as well: the last line says where it is.",
        """
EPSILON, WIDTHS = 1.0, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]

from compdp_core.design.optimize import Problem
from compdp_core.shapes import pair_named

problem = Problem(EPSILON, pair_named("A1B1", EPSILON))
designs = [problem.design_of(problem.tallest, width) for width in WIDTHS]
for design in (*designs, cdp.optimize(EPSILON, "A1B1")):
    error = math.sqrt(design.relative_variance()) * (INPUTS[1] - INPUTS[0])
    print(f"width {design.mu:.3f} of the outputs: typical error {error:.3f}")
""",
    ),
}
"""What to do, and the code, by the key of the step."""
