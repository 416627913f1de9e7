// A stream tells at once that a table has moved on: it says how far the table is, and what happened is asked for as ever.
// Where there is none, or it breaks, it isn't open, and the page asks by itself again.
"use strict";

class Stream {
  #where; #told; #changed; #source = null; #timer = 0; #failed = 0; #wanted = false;
  open = false;

  // ``where``: the addresses of the stream and of its tickets. ``told`` hears how far the table is, ``changed`` that the
  // stream has opened or broken.
  constructor(where, told, changed) {
    this.#where = where;
    this.#told = told;
    this.#changed = changed;
  }

  // At once, also where it would be tried again later.
  start() {
    this.#wanted = true;
    clearTimeout(this.#timer);
    if (!this.#source) this.#connect();
  }

  stop() {
    this.#wanted = false;
    this.#close();
  }

  #close() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
    this.open = false;
  }

  async #connect() {
    let ticket;
    try {
      const answer = await fetch(this.#where.tickets, { headers: { Accept: "application/json" }, cache: "no-store" });
      if (!answer.ok) return this.#again();
      ({ ticket } = await answer.json());
    } catch {
      return this.#again();
    }
    if (!this.#wanted || this.#source) return undefined;
    const source = this.#source = new EventSource(`${this.#where.stream}?ticket=${encodeURIComponent(ticket)}`);
    source.onmessage = (event) => {
      this.#failed = 0;
      if (!this.open) {
        this.open = true;
        this.#changed();
      }
      this.#told(JSON.parse(event.data));
    };
    // It asks to be opened anew, with another ticket.
    source.addEventListener("end", () => { this.#failed = 0; this.#again(); });
    source.onerror = () => this.#again();
    return undefined;
  }

  // Not by the browser itself: the ticket's time may be over. Not all pages at the same moment.
  #again() {
    const was = this.open;
    this.#close();
    if (!this.#wanted) return;
    const seconds = Math.min(60, 2 ** this.#failed++) * (0.5 + Math.random());
    this.#timer = setTimeout(() => this.#connect(), 1000 * seconds);
    if (was) this.#changed();
  }
}
