// What would change the answer, beside the what-if: the reader says which columns may move, a tree
// is searched at every edit and a boosted model when the button is pressed.
const WISHES = [
  ["", "may change"],
  ["stays", "stays"],
  ["up", "only up"],
  ["down", "only down"],
];

class ChangePanel {
  constructor(whatIf) {
    this.whatIf = whatIf;
    this.search = new ChangeSearch(TREES);
    this.moves = new Map();
    this.to = "";
    this.held = false;
    this.number = 0; // of the latest search; older ones stop
    this.result = make("div", { class: "changes", "aria-live": "polite" });
    this.wishes = make("div", { class: "wishes" });
    this.button = make(
      "button",
      { type: "button", click: () => (this.running ? this.stop() : this.look()) },
      "Find the change",
    );
    this.button.hidden = MODEL.kind === "tree" || Boolean(this.search.refusal);
  }

  element() {
    const { refusal } = this.search;
    return make(
      "div",
      { class: "change" },
      make("h3", {}, "What would change the answer"),
      refusal ? make("p", { class: "quiet" }, refusal) : [this.choices(), this.button, this.result],
    );
  }

  choices() {
    const holder = make(
      "details",
      {
        toggle: () => {
          if (holder.open) this.more();
        },
      },
      make("summary", {}, "What may change"),
      MODEL.classes.length > 2 ? this.target() : null,
      MODEL.kind === "tree" && DATA.here.rows ? this.heldChoice() : null,
      this.wishes,
      make(
        "p",
        { class: "quiet" },
        "A change of a number costs its size over the distance from the model's lowest to its highest cut in the column; a change of a category, or a missing value filled in, costs 1. A value never becomes missing.",
      ),
    );
    return holder;
  }

  target() {
    const choose = (event) => {
      this.to = event.target.value;
      this.edited();
    };
    return make(
      "p",
      {},
      make("label", { for: "change-to" }, "To "),
      make(
        "select",
        { id: "change-to", change: choose },
        make("option", { value: "" }, "any other answer"),
        MODEL.classes.map((name, label) => make("option", { value: label, dir: "auto" }, clipped(name))),
      ),
    );
  }

  heldChoice() {
    const choose = (event) => {
      this.held = event.target.checked;
      this.edited();
    };
    return make(
      "p",
      {},
      make("input", { type: "checkbox", id: "change-held", change: choose }),
      make("label", { for: "change-held" }, " Only to leaves that rows of this table reach"),
    );
  }

  // A choice for every column that has a field by now.
  more() {
    for (const j of this.whatIf.fields.keys()) {
      const id = `wish-${j}`;
      if (this.wishes.querySelector(`#${id}`)) continue;
      const { name, kind, ordered } = MODEL.columns[j],
        choices = WISHES.slice(0, kind === "category" && !ordered ? 2 : 4);
      const choose = (event) => {
        this.moves.set(j, event.target.value);
        this.edited();
      };
      this.wishes.append(
        make(
          "div",
          {},
          make("label", { for: id }, nameOf(name)),
          make(
            "select",
            { id, change: choose },
            choices.map(([value, text]) => make("option", { value }, text)),
          ),
        ),
      );
    }
  }

  // The row or a wish is another: what stands here is no longer about it.
  edited() {
    if (this.search.refusal) return;
    this.stop();
    this.result.replaceChildren();
    if (MODEL.kind === "tree") this.look();
  }

  stop() {
    this.number++;
    this.running = false;
    this.button.textContent = "Find the change";
  }

  async look() {
    const number = ++this.number,
      wishes = { to: this.to === "" ? null : [Number(this.to)], moves: this.moves, held: this.held };
    if (this.to !== "" && answerFor(this.whatIf.row).label === Number(this.to)) {
      this.result.replaceChildren(make("p", {}, "The row has this answer as it is."));
      return;
    }
    if (MODEL.kind !== "tree") {
      this.running = true;
      this.button.textContent = "Stop";
      this.result.replaceChildren(make("p", {}, `Searching, for at most ${SECONDS} seconds.`));
      await new Promise((resolve) => setTimeout(resolve));
    }
    const found = await this.search.find(
      this.whatIf.row,
      wishes,
      SECONDS,
      () => number !== this.number,
    );
    if (number !== this.number) return;
    this.stop();
    this.result.replaceChildren(...this.told(found));
  }

  told(found) {
    if (!found) return [make("p", {}, "No change that is allowed gets another answer.")];
    if (found.problem) return [make("p", {}, found.problem)];
    if (!found.changes) {
      return [make("p", {}, `None was found in time; one would cost at least ${rounded(found.bound)}.`)];
    }
    const proof = found.optimal
      ? "no cheaper change gives this answer."
      : `time ended; no change that costs less than ${rounded(found.bound)} can do it.`;
    return [
      make("p", {}, "The model would say ", make("strong", {}, nameOf(MODEL.classes[found.label])), " with"),
      make("ul", {}, found.changes.map((change) => this.line(change))),
      make("p", {}, `It costs ${rounded(found.cost)}; ${proof}`),
      make("button", { type: "button", click: () => this.whatIf.take(found.row) }, "Take these values"),
    ];
  }

  line({ column, old, value }) {
    const { name, kind, categories, boolean } = MODEL.columns[column],
      number = kind !== "category" && !boolean;
    const words = (each) => {
      if (each === null) return "missing";
      if (kind === "category") return each < 0 ? "a category not seen in training" : nameOf(categories[each]);
      return boolean && (each === 0 || each === 1) ? ["false", "true"][each] : numberText(each);
    };
    const by = number && old !== null ? apart(value, old) : null;
    return make(
      "li",
      {},
      nameOf(name),
      ": ",
      words(old),
      " \u2192\u00a0",
      words(value),
      by === null ? "" : ` (${by > 0 ? "+" : "\u2212"}${rounded(Math.abs(by), 6)})`,
    );
  }
}
