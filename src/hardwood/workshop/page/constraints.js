// The constraints in force, and what they keep off a node; the second is asked when it is opened.
const constraintsPart = make("div", {});

const showConstraints = () => {
  const { constraints } = DATA;
  constraintsPart.replaceChildren(
    constraints.length
      ? make(
          "p",
          {},
          "Growth, the splits that are offered and every step keep these constraints:",
        )
      : "",
    constraints.length
      ? make(
          "ul",
          { class: "constraints" },
          constraints.map((text) => make("li", {}, make("bdi", {}, clipped(text, 400)))),
        )
      : "",
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
    this.part.hidden = DATA.constraints.length === 0;
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
