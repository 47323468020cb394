// The constraints in force, set and lifted here; and what they keep off a node, which is asked when
// it is opened.
const constraintsPart = make("div", {});
const DIRECTIONS = [
  ["rising", "never falls"],
  ["falling", "never rises"],
];

const choice = (id, name, options) =>
  make(
    "span",
    { class: "choice" },
    make("label", { for: id }, name),
    make(
      "select",
      { id },
      options.map(([value, text]) => make("option", { value, dir: "auto" }, clipped(text))),
    ),
  );
const chosenIn = (id) => document.getElementById(id).value;

const lifted = (text, why, step) =>
  make(
    "li",
    {},
    make("bdi", {}, clipped(text, 400)),
    why ? [" \u2013 ", make("q", { dir: "auto" }, why)] : "",
    " ",
    button("Lift", () => about(step), { "aria-label": `Lift: ${clipped(text, 200)}` }),
  );

const listed = ({ directions, apart, meeting, given }) => [
  ...directions.map(({ column, label, sign, reason: why }) =>
    lifted(
      `the probability of ${label} never ${sign > 0 ? "falls" : "rises"} as ${column} rises`,
      why,
      { do: "direction", column, label, direction: "free" },
    ),
  ),
  ...apart.map(({ columns, reason: why }) =>
    lifted(`no path asks about ${columns[0]} and ${columns[1]}`, why, { do: "apart", columns, apart: false }),
  ),
  given && meeting
    ? lifted(given, "", { do: "meet", kept: false })
    : null,
  given && !meeting
    ? make(
        "li",
        {},
        make("bdi", {}, clipped(`lifted: ${given}`, 400)),
        " ",
        button("Keep it again", () => about({ do: "meet", kept: true })),
      )
    : null,
].filter(Boolean);

// Names stand in lists, so a reader need not type them.
const settingForms = ({ columns, ordered, labels }) => {
  const names = columns.map((name) => [name, name]),
    orders = names.filter((_, place) => ordered[place]);
  const several = labels.length > 2;
  return [
    orders.length
      ? make(
          "div",
          { class: "steps", role: "group", "aria-label": "A direction" },
          several ? choice("way-label", "The probability of", labels.map((each) => [each, each])) : null,
          choice("way", several ? "moves so:" : `The probability of ${clipped(labels[1] ?? "")}`, DIRECTIONS),
          choice("way-column", "as this rises:", orders),
          button("Set the direction", () =>
            about({
              do: "direction",
              column: chosenIn("way-column"),
              direction: chosenIn("way"),
              ...(several ? { label: chosenIn("way-label") } : {}),
            }),
          ),
        )
      : null,
    names.length > 1
      ? make(
          "div",
          { class: "steps", role: "group", "aria-label": "Columns kept apart" },
          choice("apart-one", "No path asks about", names),
          choice("apart-other", "and", [...names.slice(1), names[0]]),
          button("Keep apart", () =>
            about({ do: "apart", columns: [chosenIn("apart-one"), chosenIn("apart-other")], apart: true }),
          ),
        )
      : null,
  ];
};

const settings = make("details", { id: "constraints" });
const showConstraints = () => {
  const found = listed(DATA.constraints),
    { words } = DATA.constraints;
  if (!settings.childNodes.length) {
    settings.append(
      make("summary", {}, "Set constraints"),
      make(
        "p",
        {},
        "A constraint holds for the whole tree, which grows again. The reason beside the buttons is kept with it, and undo takes it back.",
      ),
      ...settingForms(DATA.constraints).filter(Boolean),
    );
  }
  constraintsPart.replaceChildren(
    ...(words.length || found.length
      ? [
          make("p", {}, "Growth, the splits that are offered and every step keep these constraints:"),
          make("ul", { class: "constraints" }, found),
        ]
      : []),
    ...(DATA.now.claims.length
      ? [make("p", { class: "quiet" }, `Proved of this tree, for every row there can be: ${provedText(DATA.now)}.`)]
      : []),
  );
};

class NodeRefusals {
  constructor() {
    this.list = make("div", {});
    this.part = make(
      "details",
      { toggle: () => this.part.open && !this.asked && this.go() },
      make("summary", {}, "Kept off by the constraints, at this node"),
      this.list,
    );
  }

  // Another node, or the same one in another tree.
  begin(node) {
    this.node = node;
    this.turn = (this.turn ?? 0) + 1;
    this.asked = false;
    this.part.hidden = DATA.constraints.words.length === 0;
    this.list.replaceChildren();
    if (this.part.open) this.go();
  }

  async go() {
    const turn = this.turn;
    this.asked = true;
    const found = await ask("refused", { node: this.node });
    if (!found || turn !== this.turn) return;
    this.list.replaceChildren(
      found.refused.length
        ? table(
            "Splits that would be offered without the constraints",
            ["split on", "drop", "why not"],
            found.refused.map((each) => [
              make("bdi", {}, clipped(each.words.replace(/^split on /, ""), 120)),
              rounded(each.drop, 4),
              each.why,
            ]),
          )
        : make("p", {}, "Nothing: every column is offered at its best split."),
    );
  }
}
