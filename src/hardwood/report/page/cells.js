// A boosted model over cells, as in the Python package's explain/cell_grid.py: its cuts divide a
// column's numbers into intervals, each category is a cell, the last cell is a missing value. No
// tree tells two values of a cell apart; a leaf is a list of conditions that allow cells.
class CellForest {
  constructor(trees) {
    this.cuts = cutsOfTrees(trees);
    this.columns = [...this.cuts.keys()].sort((a, b) => a - b);
    this.placeOf = new Map(this.columns.map((j, place) => [j, place]));
    this.treeBegin = [0];
    this.addend = [];
    this.place = [];
    this.conditionBegin = [0];
    this.conditionColumn = []; // its place among the columns
    this.allowed = []; // per condition, by cell
    for (const tree of trees) this.add(tree);
  }

  inSets(j) {
    return MODEL.columns[j].kind === "category" && !MODEL.columns[j].ordered;
  }

  count(j) {
    return (this.inSets(j) ? MODEL.columns[j].categories.length : this.cuts.get(j).length) + 2;
  }

  // What a cell that is not the missing one lets pass.
  passesCell(j, cell) {
    if (this.inSets(j)) return { codes: new Set([cell]), missing: false, unknown: false };
    const cuts = this.cuts.get(j);
    return {
      lower: cuts[cell - 1] ?? null,
      upper: cuts[cell] ?? null,
      missing: false,
      present: true,
    };
  }

  cellOf(j, value) {
    const last = this.count(j) - 1;
    if (value === null) return last;
    if (this.inSets(j)) return value === -2 ? last - 1 : value;
    const at = this.cuts.get(j).findIndex((cut) => value <= cut);
    return at < 0 ? last - 1 : at;
  }

  mask(j, passed) {
    const cells = new Uint8Array(this.count(j)),
      last = cells.length - 1;
    cells[last] = passed.missing;
    if (passed.codes) {
      for (const code of passed.codes) cells[code] = 1;
      cells[last - 1] = passed.unknown;
    } else if (passed.present) {
      const cuts = this.cuts.get(j);
      const begin = passed.lower === null ? 0 : cuts.indexOf(passed.lower) + 1,
        end = passed.upper === null ? last - 1 : cuts.indexOf(passed.upper);
      cells.fill(1, begin, end + 1);
    }
    return cells;
  }

  add(tree) {
    const pending = [[0, new Map()]];
    while (pending.length) {
      const [node, masks] = pending.pop();
      if (!tree.arity[node]) {
        this.addend.push(tree.add[node]);
        this.place.push(tree.place ? tree.place[node] : tree.output);
        for (const [j, cells] of masks) {
          this.conditionColumn.push(this.placeOf.get(j));
          this.allowed.push(cells);
        }
        this.conditionBegin.push(this.allowed.length);
        continue;
      }
      const j = tree.column[node],
        earlier = masks.get(j);
      passes(tree, node).forEach((branch, place) => {
        const cells = this.mask(j, branch);
        if (earlier) cells.forEach((_, cell) => (cells[cell] &= earlier[cell]));
        if (cells.some(Boolean)) pending.push([tree.first[node] + place, new Map(masks).set(j, cells)]);
      });
    }
    this.treeBegin.push(this.addend.length);
  }
}

// The cells in a row's order of cost, as bits: the lowest bit of a set is its cheapest cell.
class RankedCells {
  constructor(forest, moves) {
    this.begin = [0]; // of each column's ranks
    this.wordBegin = [0];
    this.cell = [];
    this.cost = [];
    for (const j of forest.columns) {
      const own = forest.cellOf(j, moves.get(j).value),
        cost = this.costs(forest, j, moves.get(j), own);
      const order = [...cost.keys()].filter((cell) => cost[cell] < Infinity);
      order.sort((a, b) => cost[a] - cost[b] || (a !== own) - (b !== own) || a - b);
      this.cell.push(...order);
      this.cost.push(...order.map((cell) => cost[cell]));
      this.begin.push(this.cell.length);
      this.wordBegin.push(this.wordBegin[this.wordBegin.length - 1] + ((order.length + 31) >> 5));
    }
    this.maskBegin = [0];
    for (const k of forest.conditionColumn) {
      this.maskBegin.push(this.maskBegin[this.maskBegin.length - 1] + this.words(k));
    }
    this.masks = new Uint32Array(this.maskBegin[this.maskBegin.length - 1]);
    forest.conditionColumn.forEach((k, q) => {
      for (let rank = this.begin[k]; rank < this.begin[k + 1]; rank++) {
        const bit = rank - this.begin[k];
        if (forest.allowed[q][this.cell[rank]]) {
          this.masks[this.maskBegin[q] + (bit >> 5)] |= 1 << (bit & 31);
        }
      }
    });
  }

  costs(forest, j, move, own) {
    const known = forest.inSets(j) ? 2 : 1;
    return Array.from({ length: forest.count(j) }, (_, cell) => {
      if (cell === own) return 0;
      return cell < forest.count(j) - known ? move.cost(forest.passesCell(j, cell)) : Infinity;
    });
  }

  words(k) {
    return this.wordBegin[k + 1] - this.wordBegin[k];
  }

  everything() {
    const bits = new Uint32Array(this.wordBegin[this.wordBegin.length - 1]);
    for (let k = 0; k + 1 < this.begin.length; k++) {
      for (let bit = 0; bit < this.begin[k + 1] - this.begin[k]; bit++) {
        bits[this.wordBegin[k] + (bit >> 5)] |= 1 << (bit & 31);
      }
    }
    return bits;
  }

  has(q, rank) {
    return (this.masks[this.maskBegin[q] + (rank >> 5)] >>> (rank & 31)) & 1;
  }

  costOf(k, rank) {
    return this.cost[this.begin[k] + rank];
  }

  // Rank of the cheapest cell of a box's column, and of what a condition leaves of it; -1: none.
  lowest(box, k) {
    const begin = this.wordBegin[k],
      end = this.wordBegin[k + 1];
    for (let w = begin; w < end; w++) {
      if (box[w]) return 32 * (w - begin) + 31 - Math.clz32(box[w] & -box[w]);
    }
    return -1;
  }

  lowestWith(box, k, q) {
    const begin = this.wordBegin[k],
      words = this.wordBegin[k + 1] - begin,
      mask = this.maskBegin[q];
    for (let w = 0; w < words; w++) {
      const both = box[begin + w] & this.masks[mask + w];
      if (both) return 32 * w + 31 - Math.clz32(both & -both);
    }
    return -1;
  }

  narrow(box, k, q, inside) {
    const begin = this.wordBegin[k],
      mask = this.maskBegin[q];
    for (let w = 0; w < this.words(k); w++) {
      box[begin + w] &= inside ? this.masks[mask + w] : ~this.masks[mask + w];
    }
  }
}
