// The cheapest way of a row to another leaf of one tree: best-first search from the root, as in
// the Python package's explain/tree_change.py. A node costs what the row must change to reach it.

// What each branch of a node lets pass: ends of numbers (of ranks, where categories have an order)
// or codes of categories.
const passes = (tree, node) => {
  const column = MODEL.columns[tree.column[node]],
    missing = tree.missing[node];
  if (column.kind !== "category") {
    const ends = [null, ...tree.cutsOf(node), null];
    return tree.children(node).map((_, branch) => ({
      lower: branch + 1 < ends.length ? ends[branch] : null,
      upper: ends[branch + 1] ?? null,
      missing: branch === missing || branch + 1 >= ends.length,
      present: branch + 1 < ends.length,
    }));
  }
  const codes = tree.children(node).map(() => new Set()),
    route = tree.groupsOf(node),
    last = column.categories.length - 1;
  for (let code = 0; code <= last; code++) codes[route.get(code) ?? tree.default[node]].add(code);
  return codes.map((own, branch) => {
    if (!column.ordered) {
      return { codes: own, missing: branch === missing, unknown: branch === tree.default[node] };
    }
    const low = Math.min(...own),
      high = Math.max(...own);
    return {
      lower: own.size && low > 0 ? low - 1 : null,
      upper: own.size && high < last ? high : null,
      missing: branch === missing,
      present: own.size > 0,
    };
  });
};

const meeting = (earlier, later) => {
  const missing = earlier.missing && later.missing;
  if (earlier.codes) {
    const codes = new Set([...earlier.codes].filter((code) => later.codes.has(code)));
    return { codes, missing, unknown: earlier.unknown && later.unknown };
  }
  const lower = larger(earlier.lower, later.lower),
    upper = smaller(earlier.upper, later.upper);
  const empty = lower !== null && upper !== null && lower >= upper;
  return { lower, upper, missing, present: earlier.present && later.present && !empty };
};

// By column: all cuts of the trees, ascending.
const cutsOfTrees = (trees) => {
  const found = new Map();
  for (const tree of trees) {
    for (let node = 0; node < tree.nodes; node++) {
      if (!tree.arity[node]) continue;
      const j = tree.column[node],
        { kind, ordered } = MODEL.columns[j];
      if (!found.has(j)) found.set(j, new Set());
      if (kind === "category" && !ordered) continue;
      for (const { upper } of passes(tree, node)) if (upper !== null) found.get(j).add(upper);
    }
  }
  const ascending = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  return new Map([...found].map(([j, cuts]) => [j, [...cuts].sort(ascending)]));
};

// The least first, by `before`.
class Heap {
  constructor(before) {
    this.before = before;
    this.items = [];
  }

  push(item) {
    const { items, before } = this;
    let at = items.push(item) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!before(item, items[above])) break;
      items[at] = items[above];
      at = above;
    }
    items[at] = item;
  }

  pop() {
    const { items, before } = this,
      first = items[0],
      item = items.pop();
    if (!items.length) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= items.length) break;
      if (below + 1 < items.length && before(items[below + 1], items[below])) below++;
      if (!before(items[below], item)) break;
      items[at] = items[below];
      at = below;
    }
    items[at] = item;
    return first;
  }
}

const sooner = (a, b) => a.cost - b.cost || a.changes - b.changes || a.number - b.number;

// {cost, box} of the cheapest leaf that `wanted` accepts, or null; `moves` by column.
const cheapestLeaf = (tree, moves, wanted) => {
  const heap = new Heap((a, b) => sooner(a, b) < 0);
  let number = 0;
  heap.push({ node: 0, cost: 0, changes: 0, number, box: new Map(), prices: new Map() });
  while (heap.items.length) {
    const { node, cost, box, prices } = heap.pop();
    if (!tree.arity[node]) {
      if (wanted(node)) return { cost, box };
      continue;
    }
    const j = tree.column[node],
      before = box.get(j);
    passes(tree, node).forEach((branch, place) => {
      const allowed = before ? meeting(before, branch) : branch,
        price = moves.get(j).cost(allowed);
      if (price === Infinity) return;
      const below = new Map(prices).set(j, price),
        costs = [...below.values()];
      heap.push({
        node: tree.first[node] + place,
        cost: exactSum(costs),
        changes: costs.filter(Boolean).length,
        number: ++number,
        box: new Map(box).set(j, allowed),
        prices: below,
      });
    });
  }
  return null;
};
