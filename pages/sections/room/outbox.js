// What is to leave goes out again and again until the server says that it has it.

const AGAIN_MS = 5000, LATER_MS = 10000, PATIENT_MS = 60000; // How often it is sent again.
const SOON_MS = 4000; // Until then no word from the server is no news.
const RECEIPTS = new Map(); // ticket -> receipt, over a remount
const APP = '[data-testid="stApp"]', CONNECTION = "data-test-connection-state";

class Outbox {
  // parcel(): { question, ticket, value } that is to leave or has left, or null; changed() is called
  // where its state may be another.
  constructor(parcel, changed) {
    this.parcel = parcel;
    this.changed = changed;
  }

  open(tell) {
    this.tell = tell;
    if (this.wire) return;
    this.wire = new MutationObserver(() => this.rewire());
    const app = document.querySelector(APP);
    if (app) this.wire.observe(app, { attributeFilter: [CONNECTION] });
  }

  close() {
    this.wire?.disconnect();
    this.stopTimer();
    this.wire = null;
  }

  // The server's word. A refusal of the time when the room was closed is not the last word once it is
  // open again.
  hear(receipt, opened) {
    if (opened) {
      this.heard = receipt?.count ?? 0;
      for (const [ticket, { state }] of RECEIPTS) if (state === "refused") RECEIPTS.delete(ticket);
      if (receipt?.state === "refused") return;
    }
    if (receipt && (receipt.state === "received" || receipt.count !== this.heard))
      RECEIPTS.set(receipt.ticket, receipt);
  }

  // How it stands with the parcel: "received" or "refused" with the server's words, or "sending".
  state() {
    const ticket = this.parcel()?.ticket, receipt = RECEIPTS.get(ticket);
    if (receipt) return { state: receipt.state, words: receipt.state === "received" ? RECEIVED : receipt.words };
    const waits = this.begun?.ticket === ticket && Date.now() - this.begun.at > SOON_MS;
    return { state: "sending", words: isConnected() ? (waits ? UNCONFIRMED : SENDING) : LOST };
  }

  isDue() {
    const parcel = this.parcel();
    return parcel !== null && !RECEIPTS.has(parcel.ticket);
  }

  // Not at once: a message in the midst of a run may be lost.
  sendSoon() {
    if (this.isDue() && !this.timer) this.sendAfter(0);
  }

  sendAfter(milliseconds) {
    this.stopTimer();
    this.timer = setTimeout(() => this.deliver(), milliseconds);
  }

  stopTimer() {
    clearTimeout(this.timer);
    this.timer = null;
  }

  // The connection went or came.
  rewire() {
    this.stopTimer();
    this.changed();
    this.sendSoon();
  }

  deliver() {
    this.stopTimer();
    if (!this.isDue() || !this.wire) return this.changed();
    const { question, ticket, value } = this.parcel();
    if (this.begun?.ticket !== ticket) this.begun = { ticket, at: Date.now() };
    // Without a connection it would be lost, and the framework complain.
    if (isConnected()) this.tell("answer", { question, ticket, value });
    this.changed();
    this.sendAfter(Date.now() - this.begun.at < PATIENT_MS ? AGAIN_MS : LATER_MS);
  }
}

function isConnected() {
  return (document.querySelector(APP)?.getAttribute(CONNECTION) ?? "CONNECTED") === "CONNECTED";
}
