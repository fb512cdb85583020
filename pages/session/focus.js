// What has the keyboard may be gone after a run: a pressed button makes room for what it brought.
// The browser then says nothing has the focus, and the next Tab lands on whatever stands behind
// the gap. Here the focus goes to where it was instead: to the same thing once it may be used
// again, to the same field if there is a new edition of it, else to the heading of the nearest
// step that is still there. A new edition of a field comes in the place of the old one, maybe while
// someone types: it then gets the keys at once, and what was typed but not sent yet.

const QUIET_MS = 150; // The server may still be sending what takes the place.
const LONGEST_MS = 15000;

export default function () {
  // One watcher for as long as the browser's page lives, whatever page of the app it shows.
  if (window.keepsFocus) return;
  window.keepsFocus = true;
  let last = null;
  let waiting = null;
  let unsent = null; // The field in which something was typed since it was last sent.

  document.addEventListener("focusin", ({ target }) => {
    if (target !== document.body) last = remember(target);
  });
  document.addEventListener("input", ({ target }) => {
    if (target.matches(TYPED)) unsent = target;
  }, true);
  document.addEventListener("keydown", ({ key, target }) => {
    if (key === "Enter" && target === unsent) unsent = null;
  }, true);
  // Someone who clicks beside everything, or tabs out of the page, wants no focus back.
  document.addEventListener("pointerdown", () => { if (!lost()) last = null; }, true);
  document.addEventListener("focusout", ({ target }) => {
    // What is switched off at this moment may be on again in the next.
    const off = target.disabled;
    setTimeout(() => {
      if (target === unsent && target.isConnected) unsent = null; // Leaving a field sends it.
      if (!off && nothingFocused() && usable(target)) last = null;
    });
  });
  new MutationObserver(() => { if (lost() && !renewed()) waiting ??= wait(); })
    .observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
  // A link to a step brings the keyboard there, too; by itself it would leave it nowhere. What is
  // folded there opens.
  document.addEventListener("click", (event) => {
    const step = event.composedPath()[0].closest?.('a[href^="#"]')?.hash.slice(1);
    if (step) setTimeout(() => arrive(step, event.detail === 0));
  });
  // A link to another page leads to its heading. The page may be drawn within the old one on a slow
  // machine, and then the link is not gone: nothing else would take the keyboard out of the menu.
  document.addEventListener("click", (event) => {
    const link = event.composedPath()[0].closest?.("a[href]");
    if (event.detail === 0 && link && link.hash === "" && !link.target) turn(link, document.title);
  });
  // On a phone the menu covers the page that a link of it has just opened: it makes room.
  document.addEventListener("click", (event) => {
    if (!matchMedia("(max-width: 768px)").matches) return;
    const menu = event.composedPath()[0].closest?.("a")?.closest('[data-testid="stSidebar"]');
    menu?.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
  });

  const nothingFocused = () => !document.activeElement || document.activeElement === document.body;
  const usable = (element) => element.isConnected && !element.disabled;
  // A browser may leave the focus on what was just switched off, where no key reaches it.
  const lost = () => last !== null && !usable(last.element)
    && (nothingFocused() || document.activeElement === last.element);

  function renewed() {
    const { element, seen } = last;
    const edition = element.isConnected ? null : sameField(last);
    if (!edition || edition.disabled) return false;
    give(edition, seen);
    if (element === unsent && edition.matches(TYPED)) carry(element, edition);
    return true;
  }

  function wait() {
    const began = performance.now();
    let quietSince = null;
    return setInterval(() => {
      const now = performance.now();
      if (last === null) return done();
      if (usable(last.element) && nothingFocused()) return done(give(last.element, last.seen));
      if (!lost()) return done();
      if (busy() || last.element.isConnected) quietSince = null;
      else quietSince ??= now;
      const late = now - began > LONGEST_MS;
      if (!late && (quietSince === null || now - quietSince < QUIET_MS)) return;
      // A page that has no heading yet is not there yet.
      const target = sameField(last) ?? heading(last) ?? (late ? main() : null);
      if (target) done(give(target, last.seen));
    }, 30);
  }

  function done() {
    clearInterval(waiting);
    waiting = null;
  }
}

// Keys of the containers around an element, from the inside out.
function remember(element) {
  const trail = [];
  for (let at = element; at && at !== document.body; at = at.parentElement)
    for (const name of at.classList) if (name.startsWith("st-key-")) trail.push(name);
  const field = element.matches("input, textarea, select");
  const link = element.matches('a[href^="#"]') ? element.getAttribute("href") : null;
  return { element, trail, field, link, seen: element.matches(":focus-visible") };
}

const TYPED = 'input:is([type="text"], :not([type])):not([role="combobox"]), textarea';

function carry(from, to) {
  // As if it were typed there: what draws the field hears of it by that event alone.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(to), "value").set.call(to, from.value);
  to.dispatchEvent(new Event("input", { bubbles: true }));
  to.setSelectionRange(from.selectionStart, from.selectionEnd);
}

function arrive(step, seen) {
  const target = document.getElementById(step)?.closest("h1, h2, h3") ?? document.getElementById(step);
  if (!target) return;
  give(target, seen);
  const fold = target.closest('[class*="st-key-step-"]')?.querySelector('[class*="st-key-fold-"] details');
  if (fold && !fold.open) fold.querySelector("summary").click();
}

function turn(link, left) {
  const began = performance.now();
  let quietSince = null;
  const look = setInterval(() => {
    const now = performance.now();
    if (document.activeElement !== link || now - began > LONGEST_MS) return clearInterval(look);
    if (busy() || document.title === left) quietSince = null;
    else quietSince ??= now;
    const target = quietSince !== null && now - quietSince >= QUIET_MS ? shown(main()) : null;
    if (!target) return;
    clearInterval(look);
    give(target, true);
  }, 30);
}

function busy() {
  const app = document.querySelector('[data-testid="stApp"]');
  return app?.getAttribute("data-test-script-state") !== "notRunning"
    || document.querySelector('[data-stale="true"]') !== null;
}

function give(target, seen) {
  if (!target.matches("input, textarea, select, button, a[href], [tabindex]")) target.tabIndex = -1;
  // Only who sees where the focus is wants the page to follow it.
  target.focus({ preventScroll: !seen, focusVisible: seen });
}

// A field that was set from elsewhere is a new one: its key differs in the edition at the end. The
// bar of steps is written anew whenever a step changes.
function sameField({ trail: [innermost], field, link }) {
  if (link) return document.querySelector(`a[href="${CSS.escape(link)}"]`);
  if (!field || !innermost) return null;
  const stem = innermost.replace(/-\d+$/, "");
  const place = document.querySelector(`[class*="${CSS.escape(stem)}"]`);
  return place?.querySelector("input:not([type=file]), textarea, select") ?? null;
}

function heading({ trail }) {
  for (const key of trail) {
    const found = shown(document.querySelector(`.${CSS.escape(key)}`));
    if (found) return found;
  }
  return shown(main());
}

const main = () => document.querySelector('[data-testid="stMain"]');

function shown(place) {
  return [...(place?.querySelectorAll("h1, h2, h3") ?? [])].find((each) => each.checkVisibility());
}
