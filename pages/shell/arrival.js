// The button that was pressed may stand below a long step, or what was above it folds: what it has
// brought is read from its heading.

const LONGEST_MS = 5000;

export default function ({ data: { name, heading, when } }) {
  const latest = window.arrivals ??= {};
  const before = latest[name];
  latest[name] = Math.max(when, before ?? 0);
  if (before === undefined || when <= before) return;
  const began = performance.now();
  const look = setInterval(() => {
    const busy = document.querySelector('[data-stale="true"]')
      || document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState !== "notRunning";
    if (busy && performance.now() - began < LONGEST_MS) return;
    clearInterval(look);
    const target = document.querySelector(heading);
    if (!target) return;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "start" });
  }, 30);
}
