// A row that the reader edits, and what the model answers. It starts from typical values (medians,
// most frequent categories); no row of the table is in the page.
const MOST_OPTIONS = 500,
  FIELDS = 24;

class WhatIf {
  constructor(changed) {
    this.changed = changed;
    this.row = new Map();
    this.fields = new Map();
    const gain = new Map(DATA.importances.column.map((name, place) => [name, place]));
    const rank = (j) => gain.get(MODEL.columns[j].name) ?? Infinity;
    this.order = Object.keys(MODEL.columns)
      .map(Number)
      .sort((a, b) => rank(a) - rank(b) || a - b);
    for (const j of this.order) this.row.set(j, this.typical(j));
    this.holder = make("div", { class: "fields" });
    this.result = make("div", {
      class: "result",
      "aria-live": "polite",
      tabindex: 0,
      role: "region",
      "aria-label": "The answer",
    });
    this.more(FIELDS);
    this.change = new ChangePanel(this);
  }

  typical(j) {
    const usual = DATA.data.summary[j]?.typical ?? null;
    return usual === null || typeof usual === "number" ? usual : readNumber(usual);
  }

  more(count) {
    const waiting = this.order.filter((j) => !this.fields.has(j)).slice(0, count);
    for (const j of waiting) this.holder.append(this.field(j));
  }

  field(j) {
    const column = MODEL.columns[j],
      id = `field-${j}`;
    const input =
      column.boolean || (column.kind === "category" && column.categories.length <= MOST_OPTIONS)
        ? this.choice(j, id)
        : this.text(j, id);
    this.fields.set(j, input);
    const problem = make("span", { class: "problem", id: `${id}-problem`, role: "alert" });
    return make(
      "div",
      { class: "field" },
      make("label", { for: id }, nameOf(column.name, 64)),
      input,
      problem,
    );
  }

  choice(j, id) {
    const usual = this.row.get(j),
      { boolean, categories } = MODEL.columns[j];
    const option = (value, text, chosen) =>
      make(
        "option",
        { value, selected: chosen, dir: "auto", title: text.length > LONGEST_NAME ? text : null },
        clipped(text),
      );
    return make(
      "select",
      {
        id,
        change: (event) => {
          this.set(j, event.target.value === "" ? null : Number(event.target.value));
        },
      },
      (boolean ? ["false", "true"] : categories).map((text, code) =>
        option(code, text, code === usual),
      ),
      boolean ? null : option(-2, "(not seen in training)", false),
      option("", "(missing)", usual === null),
    );
  }

  text(j, id) {
    const column = MODEL.columns[j],
      usual = this.row.get(j),
      words = column.kind === "category";
    const shown = usual === null ? "" : words ? column.categories[usual] : numberText(usual);
    return make("input", {
      id,
      value: shown,
      placeholder: "missing",
      autocomplete: "off",
      spellcheck: "false",
      dir: "auto",
      inputmode: words ? null : "decimal",
      "aria-describedby": `${id}-problem`,
      input: (event) => this.typed(j, event.target),
    });
  }

  typed(j, input) {
    const column = MODEL.columns[j],
      problem = input.parentNode.querySelector(".problem");
    let value = null;
    if (column.kind !== "category") value = readNumber(input.value);
    else if (input.value !== "") {
      const code = column.categories.indexOf(input.value);
      value = code < 0 ? -2 : code;
    }
    input.toggleAttribute("aria-invalid", false);
    if (value === undefined) input.setAttribute("aria-invalid", "true");
    problem.textContent =
      value === undefined ? "Give a finite number, or nothing for a missing value." : "";
    if (value !== undefined) this.set(j, value);
  }

  set(j, value) {
    this.row.set(j, value);
    this.answer();
  }

  reset() {
    this.take(new Map(this.order.map((j) => [j, this.typical(j)])));
  }

  take(row) {
    for (const [j, value] of row) this.row.set(j, value);
    this.holder.replaceChildren();
    const count = this.fields.size;
    this.fields.clear();
    this.more(count);
    this.answer();
  }

  answer() {
    const answer = answerFor(this.row);
    this.result.replaceChildren(...this.told(answer));
    this.changed(answer, this.row);
    this.change.edited();
  }

  told(answer) {
    const parts = [
      make(
        "p",
        { class: "answer" },
        "The model says ",
        make("strong", { "data-label": answer.label }, nameOf(MODEL.classes[answer.label])),
      ),
      shareList(answer.shares, MODEL.classes, (place) => percent(answer.shares[place])),
    ];
    if (answer.leaves)
      parts.push(
        make(
          "p",
          {},
          `A missing value goes down every branch: ${answer.leaves} leaves answer together.`,
        ),
      );
    if (answer.leaf >= 0) {
      parts.push(
        make("h3", {}, "Because"),
        make(
          "ol",
          { class: "because" },
          TREES[0]
            .way(answer.leaf)
            .slice(1)
            .map((node) => make("li", {}, partsShown(TREES[0].tell(node, 200, numberText)))),
        ),
      );
      if (!answer.leaf) parts.push(make("p", {}, "The tree is a single leaf and asks nothing."));
    }
    if (answer.running?.length > 1) parts.push(this.scores(answer));
    return parts;
  }

  scores({ running }) {
    const names =
      MODEL.outputs === 1
        ? [`score for ${clipped(MODEL.classes[1])}`]
        : MODEL.classes.map((name) => clipped(name));
    const last = running[running.length - 1];
    const order = names
      .map((_, place) => place)
      .sort((a, b) => last[b] - last[a])
      .slice(0, 6);
    const reached = running.flatMap((scores) => order.map((place) => scores[place]));
    return chart({
      title: "The row's score, round by round",
      says: order.map((place) => `${names[place]} ends at ${rounded(last[place])}`).join("; "),
      x: { label: "round" },
      y: { low: Math.min(0, ...reached), high: Math.max(0, ...reached) },
      series: order.map((place) => ({
        name: names[place],
        colour: MODEL.outputs > 1 ? colourOf(place) : null,
        x: running.map((_, at) => at + 1),
        y: running.map((scores) => scores[place]),
      })),
    });
  }
}

const whatIfSection = (whatIf, showInTree) => {
  const more = make(
    "button",
    {
      type: "button",
      click: () => {
        whatIf.more(FIELDS * 4);
        whatIf.change.more();
        more.hidden = whatIf.fields.size === whatIf.order.length;
      },
    },
    "More columns",
  );
  more.hidden = whatIf.fields.size === whatIf.order.length;
  const unused = MODEL.n_columns - whatIf.order.length;
  return section(
    "what-if",
    "What if?",
    make(
      "p",
      {},
      "Change a value and the model answers as ",
      make("code", {}, "predict"),
      " would. It starts from typical values; an empty field is a missing value.",
      MODEL.bare?.within
        ? ` So many trees fit the page only with rounded scores: a probability is at most ${rounded(MODEL.bare.within, 2)} off.`
        : "",
      unused
        ? ` ${counted(unused, "column")} that the model never asks about ${unused === 1 ? "is" : "are"} left out.`
        : "",
    ),
    make(
      "div",
      { class: "what-if" },
      make(
        "form",
        { submit: (event) => event.preventDefault(), "aria-label": "The row" },
        whatIf.holder,
        make(
          "p",
          { class: "buttons" },
          more,
          make("button", { type: "button", click: () => whatIf.reset() }, "Typical values"),
          make("button", { type: "button", click: showInTree }, "Show in the tree"),
        ),
      ),
      make("div", { class: "answers" }, whatIf.result, whatIf.change.element()),
    ),
  );
};
