// A random token for this tab, so that one who loads the page anew is not counted twice. It says
// nothing about the person or the device, and goes when the tab is closed.

const STORED = "compdp.participant";

export default function ({ data: { known }, setTriggerValue }) {
  if (known) return;
  let token = null;
  try {
    token = sessionStorage.getItem(STORED);
  } catch { /* a browser that stores nothing */ }
  if (!/^[0-9a-f]{32}$/.test(token)) token = drawn();
  try {
    sessionStorage.setItem(STORED, token);
  } catch { /* then a reload counts as another participant */ }
  // Within the drawing it would be lost.
  setTimeout(() => setTriggerValue("participant", token));
}

function drawn() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
