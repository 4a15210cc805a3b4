// Vendored: edit metrics/_shared/space_ui/cost.js and run `make vendor`.
// What a call would cost: on request, and before the visitor's key pays for it.

import { RequestError, button, make } from "./dom.js";

export class Cost {
  constructor({ ask, state, announce }) {
    Object.assign(this, { ask, state, announce });
    this.known = ""; // what was on the page when its cost was last allowed
    document.getElementById("quote")?.addEventListener("click", () => this.show());
  }

  async show() {
    const text = document.getElementById("quote-text");
    text.textContent = "Counting …";
    try { text.textContent = (await this.ask()).text; } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      text.textContent = error.message;
    }
    this.announce(text.textContent);
  }

  // Whether the judge may be asked: says what it costs first, once for the same rows and options.
  async allowed() {
    const state = this.state();
    if (state === this.known) return true;
    let quote;
    try { quote = await this.ask(); } catch (error) {
      if (error instanceof RequestError) return true; // the same is wrong with the call itself, which will say so
      throw error;
    }
    const isAllowed = await this.confirm(quote.text);
    if (isAllowed) this.known = state;
    return isAllowed;
  }

  confirm(text) {
    return new Promise((resolve) => {
      const dialog = make("dialog", { class: "spend", "aria-labelledby": "spend-title", "aria-describedby": "spend-text" });
      const close = (value) => { dialog.returnValue = value; dialog.close(); };
      dialog.append(
        make("h2", { id: "spend-title", text: "Ask the judge?" }),
        make("p", { id: "spend-text", text }),
        make("p", { class: "soft", text: "Your key pays for it. This is asked again only when rows or options change." }),
        make("div", { class: "buttons" }, button("Ask the judge", () => close("yes"), { class: "yes" }), button("Cancel", () => close(""))),
      );
      dialog.addEventListener("close", () => { dialog.remove(); resolve(dialog.returnValue === "yes"); });
      document.body.append(dialog);
      dialog.showModal();
    });
  }
}
