// What a split sees: its column in bars by class, with the cuts, as counts of some rows of the table.
const BAR_HEIGHT = 56;

const distributionOf = (tree, node) =>
  DATA.distributions && tree === TREES[0] ? (DATA.distributions.nodes[node] ?? null) : null;

// Stacked bars, the first class at the bottom.
const stackedBars = (bars, width, colours) => {
  const count = bars[0].length,
    step = width / count;
  const totals = bars[0].map((_, at) => bars.reduce((sum, each) => sum + each[at], 0)),
    most = Math.max(...totals, 1);
  return totals.flatMap((_, at) => {
    let top = BAR_HEIGHT;
    return bars.map((each, place) => {
      const height = (each[at] / most) * BAR_HEIGHT;
      top -= height;
      return each[at]
        ? draw("rect", {
            x: at * step,
            y: top,
            width: Math.max(step - 1, 1),
            height,
            fill: colours(place),
          })
        : null;
    });
  });
};

// A column in bars with `cuts` where it is divided, and of categories a text below each bar.
const barsPicture = (found, width, colours, cuts = [], below = null) => {
  const parts = stackedBars(found.bars, width, colours);
  if (!found.codes) {
    for (const cut of cuts) {
      const span = found.high - found.low || 1,
        x = Math.min(Math.max(((Number(cut) - found.low) / span) * width, 0), width);
      parts.push(
        draw("line", { class: "cut", x1: x, x2: x, y1: 0, y2: BAR_HEIGHT }),
        draw("path", {
          class: "wedge",
          d: `M${x} ${BAR_HEIGHT}l-5 8h10z`,
        }),
      );
    }
  } else if (below) {
    const step = width / Math.max(found.codes.length, 1);
    found.codes.forEach((code, at) => {
      parts.push(
        draw(
          "text",
          { x: (at + 0.5) * step, y: BAR_HEIGHT + 11, "text-anchor": "middle" },
          below(code, at),
        ),
      );
    });
  }
  return draw(
    "svg",
    {
      class: "distribution",
      viewBox: `-5 0 ${width + 10} ${BAR_HEIGHT + 14}`,
      width: width + 10,
      height: BAR_HEIGHT + 14,
      "aria-hidden": "true",
    },
    parts,
  );
};

// What stands below the bars of numbers.
const barEnds = (found) =>
  make(
    "p",
    { class: "ends quiet" },
    make("span", {}, shortNumber(found.low)),
    make("span", {}, shortNumber(found.high)),
  );
const missingShown = (found) =>
  found.missing
    ? make("p", { class: "quiet" }, `${counted(found.missing, "row")} without a value`)
    : "";

// A number below a bar says which branch its category takes.
const distributionPicture = (tree, node, width) => {
  const found = distributionOf(tree, node);
  if (!found) return null;
  const colours = DATA.distributions.classes ? coloursOf(tree) : () => "var(--line)";
  const branch = (code) => branchFor(tree, node, code) + 1;
  return barsPicture(found, width, colours, found.codes ? [] : tree.cutsOf(node), branch);
};

// For the words beside the tree: picture, ends, what it counts.
const distributionShown = (tree, node) => {
  const found = distributionOf(tree, node);
  if (!found) return [];
  const column = MODEL.columns[tree.column[node]];
  const categories = found.codes
    ? make(
        "ul",
        { class: "quiet listed" },
        found.codes.map((code) =>
          make(
            "li",
            {},
            nameOf(column.categories[code], 24),
            ` (${counted(
              found.bars.reduce((sum, each) => sum + each[found.codes.indexOf(code)], 0),
              "row",
            )}, branch ${branchFor(tree, node, code) + 1})`,
          ),
        ),
      )
    : barEnds(found);
  return [
    make(
      "h4",
      {},
      nameOf(column.name, 32),
      DATA.distributions.classes ? " by class, here" : " here",
    ),
    distributionPicture(tree, node, 220),
    categories,
    missingShown(found),
  ];
};
