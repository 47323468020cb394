// Error, confusion matrix and calibration on the table.
const matrixTable = (matrix) => {
  const most = Math.max(...matrix.flat(), 1),
    names = MODEL.classes;
  const cell = (count, truth, guess) =>
    make(
      "td",
      {
        class: truth === guess ? "right" : count ? "mistaken" : "none",
        style: { "--depth": (count / most).toFixed(3) },
      },
      count.toLocaleString("en"),
    );
  return make(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Confusion matrix" },
    make(
      "table",
      { class: "matrix" },
      make("caption", {}, "Rows of a class (down) by what the model says (across)"),
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make("td", {}),
          names.map((name) => make("th", { scope: "col" }, nameOf(name, 16))),
          make("th", { scope: "col" }, "found"),
        ),
      ),
      make(
        "tbody",
        {},
        matrix.map((row, truth) => {
          const all = row.reduce((sum, count) => sum + count, 0);
          return make(
            "tr",
            {},
            make("th", { scope: "row" }, nameOf(names[truth], 24)),
            row.map((count, guess) => cell(count, truth, guess)),
            make("td", {}, all ? percent(row[truth] / all) : "\u2013"),
          );
        }),
      ),
    ),
  );
};

const calibrationChart = ({ points, off, second }) =>
  chart({
    title: "Calibration",
    says: `Ten groups of rows by probability; on average ${percent(off)} between what was said and what was so`,
    words: `Rows in groups by the probability ${second ? `of ${clipped(MODEL.classes[1])}` : "of the predicted class"}: what the model said, and the share that was so with its 95% interval. On the diagonal both agree; here they are ${percent(off)} apart on average.`,
    x: { label: "probability said", low: 0, high: 1 },
    y: { low: 0, high: 1 },
    diagonal: true,
    series: [
      {
        name: "share that was so",
        points: true,
        radius: 4.5,
        x: points.map(([said]) => said),
        y: points.map(([, so]) => so),
        spans: points.map(([said, , , low, high]) => [said, low, high]),
      },
    ],
  });

const qualitySection = () => {
  const { quality } = DATA;
  if (!quality) {
    return section(
      "quality",
      "How well it does",
      make(
        "p",
        {},
        "The table has no target, so this report has no errors, confusion matrix, calibration and permutation importances.",
      ),
    );
  }
  const { rows, wrong, interval, usual, usual_wrong: usualWrong } = quality,
    names = MODEL.classes;
  const words = [
    make("b", {}, `Error ${rounded(wrong / rows)}`),
    `: ${wrong.toLocaleString("en")} of ${counted(rows, "row")} mistaken (95% interval ${rounded(interval[0], 3)} to ${rounded(interval[1], 3)}). Always saying `,
    nameOf(names[usual]),
    ` errs ${rounded(usualWrong / rows)}. Log loss ${rounded(quality.log_loss)}, Brier score ${rounded(quality.brier)}.`,
    quality.cost === null
      ? ""
      : ` A row costs ${rounded(quality.cost)} on average; the cheapest answer to all rows costs ${rounded(quality.usual_cost)}.`,
  ];
  const confusion = quality.matrix
    ? matrixTable(quality.matrix)
    : table(
        `The most frequent mistakes among ${names.length} classes`,
        ["class", "taken for", "rows"],
        quality.mistakes.map(([truth, guess, count]) => [
          nameOf(names[truth]),
          nameOf(names[guess]),
          count.toLocaleString("en"),
        ]),
      );
  return section(
    "quality",
    "How well it does",
    make("p", {}, words),
    make(
      "div",
      { class: "pair" },
      figure(quality.matrix ? "Confusion matrix" : "Mistakes", confusion),
      quality.calibration ? calibrationChart(quality.calibration) : null,
    ),
  );
};
