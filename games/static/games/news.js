// When a table's page asks for news: at once when a stream tells that there are some, by itself where there is no stream.
"use strict";

class News {
  // Seconds after which a page that nobody sees gives up its stream: a browser has few connections to a site.
  static HIDDEN = 30;
  // Seconds since a sign of its reader, or news, within which a page goes on saying that somebody is there.
  static THERE = 900;

  #root; #table; #stream; #timer = 0; #leaving = 0;
  #asking = 0;
  #announced = 0; // the newest version that the stream told of
  #sign = Date.now();

  // ``table``: how to ``ask``, and whether it is ``busy`` with a move of one's own, or it is ``mine`` to move.
  constructor(root, table) {
    this.#root = root;
    this.#table = table;
    this.#stream = "stream" in root.dataset ? new Stream(root.dataset, (mark) => this.#told(mark), () => this.wait()) : null;
  }

  begin() {
    document.addEventListener("visibilitychange", () => this.#shown());
    for (const type of ["pointerdown", "keydown", "wheel"]) document.addEventListener(type, () => { this.#sign = Date.now(); }, { passive: true });
    // A page that may be come back to holds no stream meanwhile.
    addEventListener("pagehide", () => this.#stream?.stop());
    addEventListener("pageshow", (event) => event.persisted && this.#shown());
    if (!document.hidden) this.#stream?.start();
    this.wait();
  }

  // A page that lies under others doesn't say that its reader is there.
  headers() {
    return document.hidden ? { "X-Page": "hidden" } : {};
  }

  // Ask, and again when it is time.
  async during(asking) {
    clearTimeout(this.#timer);
    this.#asking += 1;
    try {
      await asking();
    } catch { /* not reachable just now: asked again soon */ }
    this.#asking -= 1;
    this.wait();
  }

  // Answers may overtake each other: what is shown already, or was shown before it, is no news.
  isNew(answer) {
    const etag = (answer.headers.get("ETag") ?? "").replace("W/", ""), shown = this.#state();
    return etag !== shown.etag && Number.parseInt(etag.slice(1), 10) >= Number(shown.version);
  }

  // Ask again when it is time; never, where nothing can happen any more.
  wait() {
    clearTimeout(this.#timer);
    const live = "live" in this.#state();
    if (!live && !Talk.section()) {
      this.#stream?.stop();
      return;
    }
    const alone = document.hidden || !live ? 60 : this.#table.mine() ? 15 : 4;
    this.#timer = setTimeout(() => this.#table.ask(), 1000 * (this.#stream?.open ? this.#beside() : alone));
  }

  #state() {
    return this.#root.querySelector("[data-state]").dataset;
  }

  #behind() {
    return this.#announced > Number(this.#state().version);
  }

  // Seconds, while the stream tells what is new: asking says that somebody is there, who needn't be mailed.
  #beside() {
    if (this.#behind()) return 1;
    return !document.hidden && Date.now() < this.#sign + News.THERE * 1000 ? Number(this.#root.dataset.there) : 300;
  }

  #told({ version, talk = 0 }) {
    // A talk that was quieted has no number.
    if (talk > Number(Talk.section()?.dataset.tag ?? 0)) Talk.news(String(talk));
    this.#announced = Math.max(this.#announced, version);
    if (!this.#behind()) return;
    this.#sign = Date.now();
    if (!this.#asking && !this.#table.busy()) this.#table.ask();
  }

  #shown() {
    clearTimeout(this.#leaving);
    if (document.hidden) {
      this.#leaving = setTimeout(() => { this.#stream?.stop(); this.wait(); }, News.HIDDEN * 1000);
      return this.wait();
    }
    this.#sign = Date.now();
    this.#stream?.start();
    return this.#table.ask();
  }
}
