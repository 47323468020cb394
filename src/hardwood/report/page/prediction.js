// The model's own answer, to the bit. A row is a Map from column number to a value: null for a
// missing one, a number or a BigInt, or a category's code (-2 for one that training never saw).
// JavaScript compares a BigInt with a number exactly, which is what prediction does.
const branchFor = (tree, node, value) => {
  if (value === null) return tree.missing[node];
  if (MODEL.columns[tree.column[node]].kind === "category") {
    const way = tree.groupsOf(node).get(value);
    return way === undefined ? tree.default[node] : way;
  }
  const begin = tree.cutBegin[node],
    cuts = tree.cut_count[node];
  let branch = 0;
  while (branch < cuts && !(value <= tree.cuts[begin + branch])) branch++;
  return branch;
};

const valueAt = (tree, node, row) => {
  const value = row.get(tree.column[node]);
  return value === undefined ? null : value;
};

const leafFor = (tree, row) => {
  let node = 0;
  while (tree.arity[node])
    node = tree.first[node] + branchFor(tree, node, valueAt(tree, node, row));
  return node;
};

// Fractional examples: a missing value goes down every branch by its share.
const partsFor = (tree, row) => {
  const pending = [[0, 1]],
    leaves = [];
  while (pending.length) {
    const [node, part] = pending.pop();
    if (!tree.arity[node]) {
      leaves.push([node, part]);
      continue;
    }
    const value = valueAt(tree, node, row);
    if (value !== null) pending.push([tree.first[node] + branchFor(tree, node, value), part]);
    else {
      for (const child of tree.children(node).reverse()) {
        pending.push([child, part * tree.share[child]]);
      }
    }
  }
  return leaves;
};

const largest = (values) =>
  values.reduce((best, value, place) => (value > values[best] ? place : best), 0);
// The class of least expected cost, added class by class as the library adds.
const cheapest = (shares) => {
  const paid = shares.map((_, said) =>
    shares.reduce((total, share, truth) => total + share * MODEL.costs[truth][said], 0),
  );
  return paid.reduce((best, value, place) => (value < paid[best] ? place : best), 0);
};
const labelFrom = (shares) => (MODEL.costs ? cheapest(shares) : largest(shares));
const logistic = (score) => 1 / (1 + Math.exp(-Math.min(Math.max(score, -700), 700)));

const answerOfTree = (tree, row) => {
  if (tree.share) {
    const leaves = partsFor(tree, row);
    if (leaves.length > 1) {
      const shares = new Array(tree.classes).fill(0);
      for (const [leaf, part] of leaves) {
        tree.probabilitiesOf(leaf).forEach((share, place) => {
          shares[place] += part * share;
        });
      }
      return { label: labelFrom(shares), shares, leaf: -1, leaves: leaves.length };
    }
  }
  const leaf = leafFor(tree, row);
  return { label: tree.labelOf(leaf), shares: tree.probabilitiesOf(leaf), leaf };
};

const scoresOf = (row) => {
  const scores = new Array(MODEL.outputs).fill(0),
    running = [];
  for (const tree of TREES) {
    const leaf = leafFor(tree, row);
    scores[tree.place ? tree.place[leaf] : tree.output] += tree.add[leaf];
    running[tree.round] = scores.slice();
  }
  return { scores, running };
};

const linked = (scores) => {
  if (MODEL.link === "logistic") {
    const second = logistic(MODEL.slope * scores[0]);
    return { label: scores[0] > MODEL.cut ? 1 : 0, shares: [1 - second, second] };
  }
  let powers = scores.map((score) => logistic(MODEL.slope * score));
  if (MODEL.link === "votes") {
    const spread = scores.map((score) => score / (scores.length - 1)),
      most = Math.max(...spread);
    powers = spread.map((each) => Math.exp(each - most));
  }
  if (powers.every((power) => power === 0)) powers = powers.map(() => 1);
  const sum = powers.reduce((total, power) => total + power, 0);
  const shares = powers.map((power) => power / sum);
  return { label: MODEL.costs ? cheapest(shares) : largest(scores), shares };
};

const answerFor = (row) => {
  if (MODEL.kind === "tree") return answerOfTree(TREES[0], row);
  if (MODEL.classes.length === 1) return { label: 0, shares: [1], scores: [], running: [] };
  const { scores, running } = scoresOf(row);
  return { ...linked(scores), scores, running };
};

// What a reader typed into a number's field: a value, null for nothing, or undefined if it is no
// finite number. Whole numbers beyond 2^53 stay whole.
const readNumber = (text) => {
  const bare = text.trim();
  if (bare === "" || /^(nan|none|null|missing)$/i.test(bare)) return null;
  if (/^[+-]?\d+$/.test(bare) && !Number.isSafeInteger(Number(bare))) {
    return BigInt(bare.replace("+", ""));
  }
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(bare)) return undefined;
  return Number.isFinite(Number(bare)) ? Number(bare) : undefined;
};
