// A node in words: what holds there, its rows, its class shares.
const signed = (value) => (value < 0 ? "\u2212" : "+") + rounded(Math.abs(value));

// The class that a boosted tree's leaf adds to; with two classes a score is for the second.
const scoredClass = (tree, node) =>
  MODEL.classes[
    tree.place ? tree.place[node] : MODEL.outputs > 1 ? tree.output : MODEL.classes.length - 1
  ];

const classNames = (tree) => {
  if (tree.classes === MODEL.classes.length) return MODEL.classes;
  return MODEL.classes.length > 2
    ? ["other classes", MODEL.classes[tree.output]]
    : [...MODEL.classes, "other"];
};

// Leaves that say the same, drawn as one: the label, the ends of their probabilities, their rows.
const joinedEnds = (tree, node) => {
  const label = tree.saidBelow[node],
    leaves = tree.leavesBelow(node),
    said = leaves.map((leaf) => tree.probabilitiesOf(leaf)[label]),
    ends = [Math.min(...said), Math.max(...said)].map(percent);
  const span = ends[0] === ends[1] ? ends[0] : `${ends[0]} to ${ends[1]}`;
  return { label, words: `${span}; ${leaves.length} leaves, ${counted(tree.rows[node], "row")}` };
};
const joinedSays = (tree, node) => {
  const { label, words } = joinedEnds(tree, node);
  return [make("b", {}, nameOf(MODEL.classes[label], 24)), ` ${words}`];
};
const joinedText = (tree, node) => {
  const { label, words } = joinedEnds(tree, node);
  return `${clipped(MODEL.classes[label])}, ${words}`;
};
const joinedShown = (tree, node) => {
  const label = tree.saidBelow[node];
  return [
    make("h4", {}, "Its leaves keep their probabilities"),
    make(
      "ul",
      { class: "listed" },
      tree.leavesBelow(node).map((leaf) => {
        const said = percent(tree.probabilitiesOf(leaf)[label]);
        return make("li", {}, `Leaf ${leaf}: ${said}, ${counted(tree.rows[leaf], "row")}`);
      }),
    ),
  ];
};

// One-versus-rest trees know their class and the others; the class keeps its own colour.
const coloursOf = (tree) => {
  if (tree.classes === MODEL.classes.length) return colourOf;
  return (place) =>
    place ? colourOf(MODEL.classes.length > 2 ? tree.output : place) : "var(--line)";
};

// With a leaf prior the model's probabilities are others than the shares in training.
const probabilitiesShown = (tree, node) => {
  const said = tree.probabilitiesOf(node);
  return [
    make("h4", {}, "Class probabilities"),
    shareList(said, classNames(tree), (place) => percent(said[place]), coloursOf(tree)),
  ];
};

// Shares of the rows, and where rows have weights the shares of these under their own name.
const sharesShown = (tree, node, single) => {
  const weights = tree.sharesOf(node),
    rows = single ? tree.rowSharesOf(node) : null;
  const list = (title, shares) => [
    make("h4", {}, title),
    shareList(shares, classNames(tree), (place) => percent(shares[place]), coloursOf(tree)),
  ];
  if (!single) return list("Class shares of the round's weight", weights);
  if (!rows) return list("Class shares of the training weight", weights);
  if (!tree.class_rows) return list("Class shares in training", rows);
  return [...list("Class shares of the training rows", rows), ...list("Weighted shares", weights)];
};

const nodeDetails = (tree, node, joins = false) => {
  const split = tree.arity[node] > 0,
    weight = tree.weightOf(node);
  const premise = tree.premise(node, 300),
    here = DATA.here,
    single = MODEL.kind === "tree";
  const rule = premise.flatMap((parts, place) => [
    place ? make("b", {}, " and ") : "",
    ...partsShown(parts),
  ]);
  const facts = [["training rows", tree.rows[node].toLocaleString("en")]];
  if (single && rounded(weight, 6) !== rounded(tree.rows[node], 6))
    facts.push(["weight", Number(rounded(weight, 6)).toLocaleString("en")]);
  if (single && here.rows) {
    facts.push(["rows of this table", here.rows[node].toLocaleString("en")]);
    if (here.wrong) facts.push(["of these mistaken", here.wrong[node].toLocaleString("en")]);
  }
  if (split) facts.push(["asks about", nameOf(MODEL.columns[tree.column[node]].name)]);
  const end = single
    ? [
        make("b", {}, nameOf(MODEL.classes[tree.labelOf(node)])),
        ` (${percent(tree.probabilitiesOf(node)[tree.labelOf(node)])})`,
      ]
    : [make("b", {}, signed(tree.add[node])), " for ", nameOf(scoredClass(tree, node))];
  return [
    make(
      "h3",
      {},
      joins ? `Leaves below node ${node}` : `${split ? "Node" : "Leaf"} ${node}`,
      make("span", { class: "quiet" }, ` depth ${tree.depth[node]}`),
    ),
    make(
      "p",
      { class: "rule" },
      make("b", {}, premise.length ? "If " : ""),
      premise.length ? rule : "Every row comes by here.",
      split && !single
        ? ""
        : [
            make("b", {}, premise.length ? " then " : " It says "),
            ...end,
            single && split && !joins ? ", were it a leaf" : "",
          ],
    ),
    make(
      "dl",
      {},
      facts.map(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]),
    ),
    ...(split && !joins ? distributionShown(tree, node) : []),
    ...(joins ? joinedShown(tree, node) : []),
    ...sharesShown(tree, node, single),
    ...(single && tree.probabilities && !split ? probabilitiesShown(tree, node) : []),
  ];
};
