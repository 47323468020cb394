// The provably cheapest change of a row that gets another answer, as `model.counterfactual` has it.
// `wishes`: {to: class numbers or null, moves: Map from column to "stays", "up" or "down", held:
// leaves with rows of the table only}. A change is asked the page's own prediction again.
const SECONDS = 10;

class ChangeSearch {
  constructor(trees) {
    this.trees = trees;
  }

  // Why this model's rows have none in this page; null: they have.
  get refusal() {
    if (MODEL.classes.length < 2) return "The model knows one class alone.";
    if (MODEL.bare?.within) {
      return "The page has rounded scores of this model, with which nothing can be proved; ask model.counterfactual.";
    }
    if (MODEL.kind !== "tree" && MODEL.costs && MODEL.classes.length > 2) {
      return "With costs of mistakes among several classes the page does not search; ask model.counterfactual.";
    }
    return null;
  }

  get cuts() {
    this.found ??= cutsOfTrees(this.trees);
    return this.found;
  }

  movesOf(row, wishes) {
    const columns = [...this.cuts];
    return new Map(
      columns.map(([j, cuts]) => [j, moveOf(j, row.get(j) ?? null, cuts, wishes.moves?.get(j))]),
    );
  }

  // For a tree: at once.
  inTree(row, targets, wishes) {
    const tree = this.trees[0],
      moves = this.movesOf(row, wishes);
    if (tree.share) {
      for (const [j, { value }] of moves) {
        if (value !== null) continue;
        const { name } = MODEL.columns[j];
        return { problem: `${clipped(name)} is missing, so the row goes down several branches; give the value.` };
      }
    }
    const held = wishes.held ? DATA.here.rows : null,
      wanted = (leaf) => targets.includes(tree.labelOf(leaf)) && (!held || held[leaf] > 0);
    const way = cheapestLeaf(tree, moves, wanted);
    return way && { moves, ...this.changed(moves, way.box), bound: way.cost, optimal: true };
  }

  // For a boosted model: with a gap where time ends; null where there is none.
  async inForest(row, targets, wishes, clock) {
    this.forest ??= new CellForest(this.trees);
    const { forest } = this,
      moves = this.movesOf(row, wishes);
    const { cells, bound, complete } = await cheapestCells(forest, moves, targets, clock);
    if (!cells) return complete ? null : { bound, optimal: false };
    const box = new Map();
    forest.columns.forEach((j, k) => {
      if (cells[k] !== forest.cellOf(j, moves.get(j).value)) box.set(j, forest.passesCell(j, cells[k]));
    });
    return { ...this.changed(moves, box), bound, optimal: complete };
  }

  changed(moves, box) {
    const changes = [];
    for (const j of [...box.keys()].sort((a, b) => a - b)) {
      const move = moves.get(j),
        value = move.taken(box.get(j));
      if (value !== move.value) changes.push({ column: j, old: move.value, value, cost: move.priceOf(value) });
    }
    return { changes, cost: exactSum(changes.map(({ cost }) => cost)) };
  }

  // {changes, cost, bound, optimal, label, row}; {problem} or, where time ended, {bound}; null: no
  // change gets the answer.
  async find(row, wishes = {}, seconds = SECONDS, cancelled = () => false) {
    if (this.refusal) return { problem: this.refusal };
    const own = answerFor(row).label,
      others = [...MODEL.classes.keys()].filter((label) => label !== own);
    const targets = wishes.to ?? others;
    const found =
      MODEL.kind === "tree"
        ? this.inTree(row, targets, wishes)
        : await this.inForest(row, targets, wishes, new Clock(seconds, cancelled));
    if (!found?.changes) return found;
    const changed = new Map(row);
    for (const { column, value } of found.changes) changed.set(column, value);
    const { label } = answerFor(changed);
    if (!targets.includes(label)) return { problem: "The changed row does not get the answer: a defect of this page." };
    return { ...found, bound: Math.min(found.bound, found.cost), label, row: changed };
  }
}
