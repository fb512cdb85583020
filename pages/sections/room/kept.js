// What the page keeps of a room: for each question the noisy answer that left or is to leave, its
// ticket, and what it spends. Never the answer itself, never a rehearsal. It outlives a reload, so
// that nobody sends a second noisy version of one answer.

const KEY = "compdp.room.";
const KEPT_HERE = new Map(); // Where the browser stores nothing.

class Kept {
  constructor(room) {
    this.key = KEY + room;
    this.ends = 0;
    // The room at hand has not ended, whatever this device's clock says.
    for (const store of stores()) forgetEnded(store, this.key);
    this.lasts = [...stores()].some((store) => canStore(store));
  }

  // The room was extended: what is kept has to outlive it.
  prolong(ends) {
    if (ends === this.ends) return;
    this.ends = ends;
    for (const store of stores()) {
      const kept = readStore(store, this.key);
      if (!kept) continue;
      try {
        store.setItem(this.key, JSON.stringify({ ...kept, ends }));
      } catch { /* full: it stays as it was */ }
    }
  }

  answers() {
    const kept = [...stores()].map((store) => readStore(store, this.key)?.answers);
    return Object.assign({}, KEPT_HERE.get(this.key), ...kept.reverse());
  }

  answer(question) {
    return this.answers()[question] ?? null;
  }

  put(question, answer) {
    const answers = { ...this.answers(), [question]: answer };
    for (const store of stores()) {
      try {
        store.setItem(this.key, JSON.stringify({ ends: this.ends, answers }));
        return;
      } catch { /* full, or forbidden: the next one */ }
    }
    KEPT_HERE.set(this.key, answers);
  }

  spent(except) {
    return Object.entries(this.answers()).filter(([id]) => id !== except).map(([, answer]) => answer.spent);
  }
}

// Those that the browser has; to ask for one may already fail.
function* stores() {
  for (const name of ["localStorage", "sessionStorage"]) {
    let store = null;
    try {
      store = window[name];
    } catch { /* forbidden */ }
    if (store) yield store;
  }
}

function canStore(store) {
  try {
    store.setItem(`${KEY}probe`, "x".repeat(1000));
    store.removeItem(`${KEY}probe`);
    return true;
  } catch {
    return false;
  }
}

function readStore(store, key) {
  try {
    return JSON.parse(store.getItem(key));
  } catch {
    return null;
  }
}

function forgetEnded(store, current) {
  try {
    for (const key of Object.keys(store)) {
      if (!key.startsWith(KEY) || key === current) continue;
      if (!((readStore(store, key)?.ends ?? 0) * 1000 > Date.now())) store.removeItem(key);
    }
  } catch { /* a browser that stores nothing */ }
}
