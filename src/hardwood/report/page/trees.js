// Large models come compressed (deflate, in base64).
const bytesOf = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
const unpacked = async (data) => {
  if (typeof data !== "string") return data;
  const plain = new Blob([bytesOf(data)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(plain).text());
};
const floatsOf = (text) => {
  const view = new DataView(bytesOf(text).buffer);
  return Array.from({ length: view.byteLength / 8 }, (_, at) => view.getFloat64(8 * at, true));
};

// Trees that only answer: lists over all of them, their nodes level by level.
const bareTrees = async (bare) => {
  const all = await unpacked(bare.lists),
    adds = bare.exact ? floatsOf(bare.exact) : await unpacked(bare.rounded);
  let node = 0,
    split = 0,
    leaf = 0,
    cut = 0,
    code = 0;
  return all.nodes.map((nodes, at) => {
    const tree = {
      round: all.rounds[at],
      output: all.outputs[at],
      place: all.places ? new Array(nodes).fill(0) : null,
      column: all.column.slice(node, node + nodes),
      weights: [],
      add: new Array(nodes).fill(0),
      first: new Array(nodes).fill(-1),
    };
    const perSplit = ["arity", "missing", "default", "cut_count", "group_count"];
    for (const key of perSplit) tree[key] = new Array(nodes).fill(0);
    const cutBegin = cut,
      codeBegin = code;
    let next = 1;
    for (let each = 0; each < nodes; each++) {
      if (tree.column[each] < 0) {
        if (tree.place) tree.place[each] = all.places[leaf];
        tree.add[each] = adds[leaf++];
        continue;
      }
      for (const key of perSplit) tree[key][each] = all[key][split];
      tree.first[each] = next;
      next += all.arity[split];
      cut += all.cut_count[split];
      code += all.group_count[split++];
    }
    node += nodes;
    tree.cuts = all.cuts.slice(cutBegin, cut);
    tree.codes = all.codes.slice(codeBegin, code);
    tree.code_branches = all.code_branches.slice(codeBegin, code);
    return tree;
  });
};

// One tree over the flat lists that the page holds; conditions and paths are made when asked for.
class Tree {
  constructor(lists) {
    Object.assign(this, lists);
    this.nodes = this.arity.length;
    this.classes = this.nodes ? this.weights.length / this.nodes : 0;
    this.cutBegin = Tree.begins(this.cut_count);
    this.codeBegin = Tree.begins(this.group_count);
    this.parent = new Int32Array(this.nodes).fill(-1);
    this.depth = new Int32Array(this.nodes);
    this.leaves = 0;
    for (let node = 0; node < this.nodes; node++) {
      if (!this.arity[node]) this.leaves++;
      for (const child of this.children(node)) {
        this.parent[child] = node;
        this.depth[child] = this.depth[node] + 1;
      }
    }
    this.cuts = this.cuts.map((cut) => (typeof cut === "string" ? BigInt(cut) : cut));
    this.known = new Map();
    this.routes = new Map();
  }

  static begins(counts) {
    const begins = new Int32Array(counts.length);
    for (let node = 1; node < counts.length; node++)
      begins[node] = begins[node - 1] + counts[node - 1];
    return begins;
  }

  children(node) {
    return Array.from({ length: this.arity[node] }, (_, branch) => this.first[node] + branch);
  }

  cutsOf(node) {
    return this.cuts.slice(this.cutBegin[node], this.cutBegin[node] + this.cut_count[node]);
  }

  // Category code -> branch, of the categories that training saw at the node.
  groupsOf(node) {
    if (!this.routes.has(node)) {
      const route = new Map(),
        begin = this.codeBegin[node];
      for (let at = begin; at < begin + this.group_count[node]; at++) {
        route.set(this.codes[at], this.code_branches[at]);
      }
      this.routes.set(node, route);
    }
    return this.routes.get(node);
  }

  weightOf(node) {
    let sum = 0;
    for (let place = 0; place < this.classes; place++)
      sum += this.weights[node * this.classes + place];
    return sum;
  }

  // What training saw.
  sharesOf(node) {
    const sum = this.weightOf(node),
      begin = node * this.classes;
    return this.weights.slice(begin, begin + this.classes).map((weight) => weight / sum);
  }

  // Of the rows, each counted once; null where only weights are known.
  rowSharesOf(node) {
    if (!this.class_rows) return this.rows_known ? this.sharesOf(node) : null;
    const begin = node * this.classes;
    return this.class_rows
      .slice(begin, begin + this.classes)
      .map((rows) => rows / Math.max(this.rows[node], 1));
  }

  // What the model says: the shares, moved by the leaf prior where there is one.
  probabilitiesOf(node) {
    if (!this.probabilities) return this.sharesOf(node);
    const begin = node * this.classes;
    return this.probabilities.slice(begin, begin + this.classes);
  }

  labelOf(node) {
    if (MODEL.costs && this.probabilities) return cheapest(this.probabilitiesOf(node));
    let best = 0;
    const begin = node * this.classes,
      said = this.probabilities || this.weights;
    for (let place = 1; place < this.classes; place++) {
      if (said[begin + place] > said[begin + best]) best = place;
    }
    return best;
  }

  // By node: the class that all leaves below say, -1 where they say several.
  get saidBelow() {
    if (!this.same) {
      this.same = new Int32Array(this.nodes);
      for (let node = this.nodes - 1; node >= 0; node--) {
        const said = this.children(node).map((child) => this.same[child]);
        this.same[node] = said.length
          ? said.every((label) => label === said[0])
            ? said[0]
            : -1
          : this.labelOf(node);
      }
    }
    return this.same;
  }

  leavesBelow(node) {
    const leaves = [],
      pending = [node];
    while (pending.length) {
      const each = pending.pop();
      if (this.arity[each]) pending.push(...this.children(each).reverse());
      else leaves.push(each);
    }
    return leaves;
  }

  // "97% of 50", with a leaf prior "95%; 97% of 50"; weighted shares are named.
  seenShare(node, label, rows) {
    const weighted = this.sharesOf(node)[label],
      shares = this.rowSharesOf(node);
    if (!shares) return `${percent(weighted)} of the weight of ${rows}`;
    if (shares[label] === weighted) return `${percent(weighted)} of ${rows}`;
    return `${percent(shares[label])} of ${rows}, ${percent(weighted)} of their weight`;
  }

  saidShare(node, rows) {
    const label = this.labelOf(node),
      seen = this.seenShare(node, label, rows);
    return this.probabilities ? `${percent(this.probabilitiesOf(node)[label])}; ${seen}` : seen;
  }

  branchCondition(child) {
    const node = this.parent[child],
      branch = child - this.first[node],
      column = this.column[node];
    const missing = this.missing[node] === branch,
      seen = Boolean(this.seen[node]);
    if (MODEL.columns[column].kind !== "category") {
      const cuts = this.cutsOf(node);
      if (branch > cuts.length) {
        return { column, lower: null, upper: null, missing: true, seen: true, present: false };
      }
      const lower = branch ? cuts[branch - 1] : null;
      const upper = branch < cuts.length ? cuts[branch] : null;
      return { column, lower, upper, missing, seen, present: true };
    }
    const codes = [],
      elsewhere = new Set();
    for (const [code, way] of this.groupsOf(node)) {
      if (way === branch) codes.push(code);
      else elsewhere.add(code);
    }
    return { column, codes, elsewhere, others: this.default[node] === branch, missing, seen };
  }

  // One joined condition per column, in the order in which the columns were first asked.
  path(node) {
    const path = new Map();
    for (const each of this.way(node).slice(1)) {
      const branch = this.branchCondition(each),
        earlier = path.get(branch.column);
      path.set(branch.column, earlier ? joined(earlier, branch) : branch);
    }
    return path;
  }

  way(node) {
    const way = [node];
    while (way[way.length - 1]) way.push(this.parent[way[way.length - 1]]);
    return way.reverse();
  }

  // The condition of the node's own branch as parts, short for a card; the root has none.
  told(node) {
    if (!this.known.has(node)) this.known.set(node, this.tell(node, 48, shortNumber));
    return this.known.get(node);
  }

  tell(node, width, number) {
    if (node === 0) return [["all rows", false]];
    const branch = this.branchCondition(node);
    if (this.share) branch.missing = false;
    return conditionParts(asTold(branch, this.pathOf(node, branch.column)), width, number);
  }

  // The joined condition of one column; only the nodes above that ask it are looked at.
  pathOf(node, column) {
    let all = null;
    for (const each of this.way(node).slice(1)) {
      if (this.column[this.parent[each]] !== column) continue;
      const branch = this.branchCondition(each);
      all = all ? joined(all, branch) : branch;
    }
    return all;
  }

  // "if ... and ...": all that holds at the node, one list of parts per column.
  premise(node, width = null) {
    return [...this.path(node).values()].map((condition) => conditionParts(condition, width));
  }

  rule(node) {
    const texts = this.premise(node).map(partsText);
    const wrapped = texts.map((text) =>
      texts.length > 1 && text.endsWith(" or missing") ? `(${text})` : text,
    );
    return `if ${wrapped.join(" and ") || "anything"} then `;
  }
}
