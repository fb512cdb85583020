// Keeps the teacher's key of a room in this tab: over a reload, and out of the address, which a
// projector shows. A teacher's link brings the key behind the #, which no server and no log sees.

const STORED = "compdp.teacher";

export default function ({ data, setTriggerValue }) {
  const brought = location.hash.match(/^#teach=([\w.-]{10,100})$/)?.[1];
  if (brought) {
    history.replaceState(history.state, "", location.pathname + location.search);
    put(brought);
  }
  if (data.held) put(data.held);
  else if (data.dropped && take() === data.dropped) put(null);
  const held = take();
  // Once for each key: one that no longer leads anywhere is not asked about again.
  if (held && held !== data.held && held !== window.compdpAskedFor) {
    window.compdpAskedFor = held;
    setTimeout(() => setTriggerValue("key", held));
  }
}

function put(key) {
  try {
    if (key) sessionStorage.setItem(STORED, key);
    else sessionStorage.removeItem(STORED);
  } catch { /* a browser that stores nothing */ }
}

function take() {
  try {
    return sessionStorage.getItem(STORED);
  } catch {
    return null;
  }
}
