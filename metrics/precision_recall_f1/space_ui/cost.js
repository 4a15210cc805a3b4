// Vendored: edit metrics/_shared/space_ui/cost.js and run `make vendor`.
// The estimated cost of a call: on request, and for confirmation before the visitor's key is charged.

import { RequestError, button, make } from "./dom.js";

export class Cost {
  constructor({ ask, state, announce }) {
    Object.assign(this, { ask, state, announce });
    this.confirmed = ""; // state of the page when its cost was last confirmed
    document.getElementById("quote")?.addEventListener("click", () => this.show());
  }

  async show() {
    const text = document.getElementById("quote-text");
    text.textContent = "Estimating …";
    try { text.textContent = (await this.ask()).text; } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      text.textContent = error.message;
    }
    this.announce(text.textContent);
  }

  // Whether the judge may be called: asks for confirmation of the cost once per state of the page.
  async allowed() {
    const state = this.state();
    if (state === this.confirmed) return true;
    let quote;
    try { quote = await this.ask(); } catch (error) {
      if (error instanceof RequestError) return true; // the call itself will report the error
      throw error;
    }
    const isAllowed = await this.confirm(quote.text);
    if (isAllowed) this.confirmed = state;
    return isAllowed;
  }

  confirm(text) {
    return new Promise((resolve) => {
      const dialog = make("dialog", { class: "spend", "aria-labelledby": "spend-title", "aria-describedby": "spend-text" });
      const close = (value) => { dialog.returnValue = value; dialog.close(); };
      dialog.append(
        make("h2", { id: "spend-title", text: "Run the judge?" }),
        make("p", { id: "spend-text", text }),
        make("p", { class: "soft", text: "Your API key will be charged. You will be asked again only if rows or options change." }),
        make("div", { class: "buttons" }, button("Run the judge", () => close("yes"), { class: "yes" }), button("Cancel", () => close(""))),
      );
      dialog.addEventListener("close", () => { dialog.remove(); resolve(dialog.returnValue === "yes"); });
      document.body.append(dialog);
      dialog.showModal();
    });
  }
}
