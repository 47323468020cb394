// The classes over the values of each column at a node, some columns at a time. Nothing is asked of
// the server before the reader opens it. The columns that offer the best splits come first, with a
// line where each would be split.
class NodeColumns {
  constructor() {
    this.list = make("div", { class: "columns" });
    this.words = make("p", { class: "quiet" });
    this.more = button("More columns", () => this.go());
    this.part = make(
      "details",
      { toggle: () => this.part.open && !this.next && this.go() },
      make("summary", {}, "Columns by class, at this node"),
      this.words,
      this.list,
      this.more,
    );
  }

  // Another node, or the same one in another tree.
  begin(node, offers) {
    this.node = node;
    this.next = 0;
    this.turn = (this.turn ?? 0) + 1;
    this.names = offers.map((offer) => offer.column);
    this.cuts = new Map(offers.map((offer) => [offer.column, offer.step.thresholds ?? []]));
    this.list.replaceChildren();
    this.words.textContent = "";
    this.more.hidden = true;
    if (this.part.open) this.go();
  }

  async go() {
    const turn = this.turn;
    const found = await ask("columns", { node: this.node, first: this.next, names: this.names });
    if (!found || turn !== this.turn || found.first !== this.next) return;
    this.next += found.columns.length;
    this.list.append(...found.columns.map((column) => this.shown(column)));
    this.words.textContent = `Bars count ${counted(found.rows, "row")} of the node, the classes in the colours of the legend. A line is the best split of its column. ${this.next.toLocaleString("en")} of ${counted(found.count, "column")}.`;
    this.more.hidden = this.next >= found.count;
  }

  shown(column) {
    const total = (at) => column.bars.reduce((sum, each) => sum + each[at], 0);
    return make(
      "div",
      {},
      make("h4", {}, nameOf(column.name, 32)),
      barsPicture(column, 220, colourOf, this.cuts.get(column.name)),
      column.codes
        ? make(
            "p",
            { class: "quiet" },
            column.names.flatMap((name, at) => [
              at ? ", " : "",
              nameOf(name, 24),
              ` ${total(at).toLocaleString("en")}`,
            ]),
          )
        : barEnds(column),
      missingShown(column),
    );
  }
}
