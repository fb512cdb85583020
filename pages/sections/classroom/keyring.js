// Keeps the teacher's keys of a room and of a class session in this tab: over a reload, and out of
// the address, which a projector shows. A teacher's link brings one behind the #, which no server
// and no log sees.

const STORED = "compdp.teacher.";

export default function ({ data, setTriggerValue }) {
  const brought = location.hash.match(/^#teach=([\w.-]{10,100})$/)?.[1];
  if (brought) {
    history.replaceState(history.state, "", location.pathname + location.search);
    put("brought", brought);
  }
  for (const kind of ["room", "course"]) {
    if (data.held[kind]) put(kind, data.held[kind]);
    else if (data.dropped.includes(take(kind))) put(kind, null);
  }
  const known = [data.held.room, data.held.course, ...data.dropped];
  if (known.includes(take("brought"))) put("brought", null);
  const lost = ["brought", "room", "course"].map(take).find((key) => key && !known.includes(key));
  // Once for each key and session: an answer may be on its way.
  if (lost && window.compdpAskedFor !== lost + data.session) {
    window.compdpAskedFor = lost + data.session;
    setTimeout(() => setTriggerValue("key", lost));
  }
}

function put(kind, key) {
  try {
    if (key) sessionStorage.setItem(STORED + kind, key);
    else sessionStorage.removeItem(STORED + kind);
  } catch { /* a browser that stores nothing */ }
}

function take(kind) {
  try {
    return sessionStorage.getItem(STORED + kind);
  } catch {
    return null;
  }
}
