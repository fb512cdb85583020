// Watches the connection from the page, which outlives session and program. See reconnect.py.

const SOON_MS = 1500; // A hiccup is no news.
const PATIENT_MS = 5000; // For the server to take back a ledger.
const STORED = "compdp.lifeline";

const LOST =
  "The connection to the program is lost. Leave this page open: it comes back by itself as soon " +
  "as the program answers. Until then nothing here can be changed or downloaded. Files you have " +
  "downloaded stay valid, and what they cost stays spent.";

export default function ({ data, setTriggerValue }) {
  const life = (window.compdpLife ??= begin());
  life.tell = setTriggerValue;
  const before = life.now ?? stored();
  life.now = data;
  if (before && before.session !== data.session) {
    life.ended = ended(life, before);
    if (life.ended && owes(life, before)) {
      // Say more when the ledger is back, or will not come.
      setTimeout(() => { if (life.ended) show(life); }, PATIENT_MS);
      return store(life);
    }
  }
  if (life.ended) show(life);
  store(life);
}

function begin() {
  const life = { now: null, ended: stored()?.ended ?? null, reloaded: true };
  const app = document.querySelector('[data-testid="stApp"]');
  const state = () => app.getAttribute("data-test-connection-state");
  let lost = null;
  const look = () => {
    if (state() !== "CONNECTED") {
      life.reloaded = false;
      lost ??= setInterval(() => { put("lost", LOST, "alert"); closeTheirs(); }, SOON_MS);
    } else if (lost !== null) {
      clearInterval(lost);
      lost = null;
      remove("lost");
      // By itself the page would stay as it was, even if nobody knows it any more.
      setTimeout(() => life.tell("back", Date.now()));
    }
  };
  new MutationObserver(look).observe(app, { attributeFilter: ["data-test-connection-state"] });
  return life;
}

// The framework's own dialog asks whether the internet is there, and bars what can still be read.
function closeTheirs() {
  const dialog = document.querySelector('[data-testid="stDialog"]');
  if (dialog?.textContent.includes("Connection error")) {
    dialog.querySelector('button[aria-label="Close"]')?.click();
  }
}

// What to say about the session that is over, or null. What an earlier end still owes is owed on.
function ended(life, before) {
  const earlier = life.ended?.owed > before.releases ? life.ended : null;
  const found = {
    how: before.program !== life.now.program ? "restart" : life.reloaded ? "reload" : "absence",
    table: before.table && !life.now.table,
    owed: earlier?.owed ?? before.releases,
    spent: earlier?.spent ?? before.spent,
  };
  return found.table || found.owed > life.now.releases ? found : null;
}

// Whether the server has to take back the ledger. At a reload it lets go of the old session, too.
function owes(life, before) {
  if (life.ended.how === "reload" && life.ended.table) {
    setTimeout(() => life.tell("left", before.session));
  }
  if (!before.ledger || before.releases <= life.now.releases) return false;
  setTimeout(() => life.tell("ledger", before.ledger));
  return true;
}

const HOW = {
  restart: "The program was started anew, and your session ended with it.",
  reload: "This page was loaded anew, which began a new session.",
  absence: "The connection was away for too long, and your session ended.",
};

function show(life) {
  const { how, table, owed, spent } = life.ended;
  const counted = life.now.releases >= owed;
  const text = [HOW[how]];
  if (table) {
    text.push(
      "Your table, its settings and its results are gone from here: to go on, open the table " +
      "again. Files you have downloaded stay valid."
    );
  }
  const many = `${owed === 1 ? "1 release" : `${owed} releases`}, ε = ${spent} on one table`;
  if (owed && counted) {
    text.push(`What was spent is still counted: ${many}${owed === 1 ? "" : " at most"}.`);
  } else if (owed) {
    text.push(
      `The ledger is gone, too. It counted ${many}${owed === 1 ? "" : " at most"}, which stays ` +
      "spent. If you saved the ledger, open it on the page Budget. If not, set a limit there " +
      "that is lower by so much."
    );
  }
  const dismiss = () => { life.ended = null; remove("ended"); store(life); };
  put("ended", text.join(" "), owed && !counted ? "alert" : "status", dismiss);
}

function put(name, text, role, dismiss) {
  const id = `lifeline-${name}`;
  // Built anew, it would be read out anew.
  if (document.getElementById(id)?.firstChild.textContent === text) return;
  remove(name);
  const note = document.createElement("div");
  note.id = id;
  note.className = "lifeline";
  note.setAttribute("role", role);
  const words = document.createElement("p");
  words.textContent = text;
  note.append(words);
  if (dismiss) {
    const button = document.createElement("button");
    button.textContent = "Understood";
    button.addEventListener("click", dismiss);
    note.append(button);
  }
  document.body.append(note);
}

const remove = (name) => document.getElementById(`lifeline-${name}`)?.remove();

// Over a reload: numbers only. What the ledger names is for this page's memory alone.
function store(life) {
  const { ledger, ...numbers } = life.now;
  try {
    sessionStorage.setItem(STORED, JSON.stringify({ ...numbers, ended: life.ended }));
  } catch { /* a browser that stores nothing */ }
}

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(STORED));
  } catch {
    return null;
  }
}
