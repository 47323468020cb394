// Error, confusion matrix, curves and calibration on the table.
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

const areaWords = () => {
  const area = DATA.curves?.auc ?? null;
  if (area === null) return "";
  return `AUC ${areaText(area)}${MODEL.classes.length > 2 ? " (mean of each class against the others)" : ""}. `;
};

const qualitySection = () => {
  const { quality } = DATA;
  if (!quality) {
    return section(
      "quality",
      "How well it does",
      make(
        "p",
        {},
        "The table has no target, so this report has no errors, curves, confusion matrix, calibration and permutation importances.",
      ),
    );
  }
  const { rows, wrong, interval, usual, usual_wrong: usualWrong } = quality,
    names = MODEL.classes,
    several = names.length > 2;
  const words = [
    make("b", {}, `Error ${rounded(wrong / rows)}`),
    `: ${wrong.toLocaleString("en")} of ${counted(rows, "row")} mistaken (95% interval ${rounded(interval[0], 3)} to ${rounded(interval[1], 3)}). Always saying `,
    nameOf(names[usual]),
    ` errs ${rounded(usualWrong / rows)}. ${areaWords()}Log loss ${rounded(quality.log_loss)}, Brier score ${rounded(quality.brier)}.`,
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
    several || !DATA.curves
      ? make(
          "div",
          { class: names.length > 8 ? "single" : "pair" },
          figure(quality.matrix ? "Confusion matrix" : "Mistakes", confusion),
          quality.calibration
            ? calibrationFigure(quality.calibration, "of the predicted class", false)
            : null,
        )
      : null,
    curvesBlock(),
  );
};
