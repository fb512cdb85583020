// Watches over a part of the page that looks for news by itself every few seconds. On a busy machine
// the framework may lose what it was about to send: the page would then stand still, or show what is
// past. See pulse.py.

const LOOK_MS = 2000;
const SILENT_MS = 15000; // The part has not looked for so long: it was lost.
const BEHIND_MS = 5000; // It has seen news for so long that the page does not show.
const AGAIN_MS = 10000;

export default function ({ data, setTriggerValue }) {
  const now = Date.now();
  const life = (window.compdpPulse ??= { asked: 0 });
  Object.assign(life, { state: data.state, heard: now, at: life.at, since: null });
  const timer = setInterval(() => {
    const beat = document.querySelector(".pulse")?.dataset, now = Date.now();
    if (beat && beat.at !== life.at) Object.assign(life, { at: beat.at, heard: now });
    life.since = beat && beat.state !== life.state ? life.since ?? now : null;
    const behind = life.since !== null && now - life.since > BEHIND_MS;
    if ((behind || now - life.heard > SILENT_MS) && now - life.asked > AGAIN_MS && isConnected()) {
      life.asked = now;
      setTriggerValue("look", now);
    }
  }, LOOK_MS);
  return () => clearInterval(timer);
}

function isConnected() {
  const app = document.querySelector('[data-testid="stApp"]');
  return app?.getAttribute("data-test-connection-state") === "CONNECTED" && !document.hidden;
}
