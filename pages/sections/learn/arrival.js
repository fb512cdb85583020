// The button that was pressed stands below a long step. The next step is read from its heading.

const LONGEST_MS = 5000;

export default function ({ data }) {
  const before = window.courseTurns;
  window.courseTurns = data.turns;
  if (before === undefined || before === data.turns) return;
  const began = performance.now();
  const look = setInterval(() => {
    const busy = document.querySelector('[data-stale="true"]')
      || document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState !== "notRunning";
    if (busy && performance.now() - began < LONGEST_MS) return;
    clearInterval(look);
    const heading = document.querySelector('[class*="st-key-step-"] h2');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: "start" });
  }, 30);
}
