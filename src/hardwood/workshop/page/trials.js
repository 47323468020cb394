// The cross-validated error of the tree that grows with each split that is offered, found in the
// background when it is asked for; the cells of the table are filled in as they come.
class NodeTrials {
  constructor(holder) {
    this.holder = holder;
    this.words = make("span", { role: "status" });
    this.stop = button("Stop", () => ask("cancel", {}), { hidden: true });
    this.part = make(
      "div",
      { class: "steps" },
      button("Cross-validate the alternatives", () => this.go(), {
        title: "the tree that grows with each of them, in five folds",
      }),
      this.stop,
      this.words,
    );
  }

  // Another node, or the same one in another tree.
  begin(node, count) {
    this.node = node;
    this.turn = (this.turn ?? 0) + 1;
    this.words.textContent = "";
    this.stop.hidden = true;
    this.part.hidden = count === 0;
  }

  async go() {
    const turn = this.turn;
    let state = await ask("try", { node: this.node });
    while (state && turn === this.turn) {
      if (state.node !== this.node || state.version !== DATA.version) return;
      this.show(state);
      if (!state.running) return;
      await new Promise((done) => setTimeout(done, 250));
      if (turn === this.turn) state = await ask("trials");
    }
  }

  show(state) {
    const cells = this.holder.querySelectorAll(".tried");
    state.found.forEach((found, place) => {
      cells[place].textContent = found.said ? "refused" : percent(found.error);
      cells[place].title = found.said ?? `AUC ${rounded(found.auc)}`;
    });
    this.stop.hidden = !state.running;
    this.words.textContent = state.running
      ? `Fold ${state.done + 1} of ${state.folds} \u2026`
      : (state.said ?? "");
  }
}
