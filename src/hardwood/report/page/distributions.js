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

const distributionPicture = (tree, node, width) => {
  const found = distributionOf(tree, node);
  if (!found) return null;
  const colours = DATA.distributions.classes ? coloursOf(tree) : () => "var(--line)";
  const parts = stackedBars(found.bars, width, colours);
  if (!found.codes) {
    for (const cut of tree.cutsOf(node)) {
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
  } else {
    // A stroke below the bars says which branch a category takes.
    const step = width / Math.max(found.codes.length, 1);
    found.codes.forEach((code, at) => {
      const branch = branchFor(tree, node, code);
      parts.push(
        draw(
          "text",
          { x: (at + 0.5) * step, y: BAR_HEIGHT + 11, "text-anchor": "middle" },
          branch + 1,
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
    : make(
        "p",
        { class: "ends quiet" },
        make("span", {}, shortNumber(found.low)),
        make("span", {}, shortNumber(found.high)),
      );
  return [
    make(
      "h4",
      {},
      nameOf(column.name, 32),
      DATA.distributions.classes ? " by class, here" : " here",
    ),
    distributionPicture(tree, node, 220),
    categories,
    found.missing
      ? make("p", { class: "quiet" }, `${counted(found.missing, "row")} without a value`)
      : "",
  ];
};
