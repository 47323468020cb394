// Three measures beside each other; a button in each heading sorts by it.
const MEASURES = [
  ["gain", "Gain", "share of the drop of the potential in training"],
  ["permutation", "Permutation", "rise of the error here when the column is shuffled"],
  ["shap", "Mean |SHAP|", "how far knowing the column moves the answer"],
];

const FIRST_COLUMNS = 12;

const importanceSection = () => {
  const { importances } = DATA;
  const shown = MEASURES.filter(([key]) => importances[key]);
  if (!importances.column.length) {
    return section("importances", "Columns", make("p", {}, "The model asks about no column."));
  }
  const body = make("tbody"),
    buttons = new Map();
  const cell = (key, place) => {
    const value = importances[key][place],
      most = Math.max(...importances[key], 1e-12);
    return make(
      "td",
      {},
      make("span", { class: "amount" }, key === "gain" ? percent(value) : rounded(value, 3)),
      make(
        "span",
        { class: "track", "aria-hidden": "true" },
        make("span", {
          style: { width: `${Math.max(0, (100 * value) / most)}%`, background: colourOf(0) },
        }),
      ),
    );
  };
  const more = make(
    "button",
    {
      type: "button",
      click: () => {
        more.remove();
        for (const row of body.children) row.hidden = false;
      },
    },
    `${importances.column.length - FIRST_COLUMNS} more`,
  );
  const sort = (by) => {
    const places = importances.column
      .map((_, place) => place)
      .sort((a, b) => importances[by][b] - importances[by][a] || a - b);
    body.replaceChildren(
      ...places.map((place, at) =>
        make(
          "tr",
          { hidden: at >= FIRST_COLUMNS && shownSection.contains(more) },
          make("th", { scope: "row" }, nameOf(importances.column[place])),
          shown.map(([key]) => cell(key, place)),
        ),
      ),
    );
    for (const [key, heading] of buttons)
      heading.setAttribute("aria-sort", key === by ? "descending" : "none");
  };
  const headings = shown.map(([key, title, words]) => {
    const heading = make(
      "th",
      { scope: "col" },
      make(
        "button",
        { type: "button", class: "sort", title: words, click: () => sort(key) },
        title,
      ),
    );
    buttons.set(key, heading);
    return heading;
  });
  const notes = shown.map(([key, title, words]) => {
    const rows = importances[`${key}_rows`];
    return make(
      "li",
      {},
      make("b", {}, title),
      `: ${words}${rows ? ` (${counted(rows, "row")})` : ""}.`,
    );
  });
  const rest = importances.used - importances.column.length;
  const shownSection = section(
    "importances",
    "Which columns matter",
    make(
      "ul",
      { class: "quiet" },
      notes,
      rest > 0
        ? make(
            "li",
            {},
            `${counted(rest, "further column")} with less gain ${rest === 1 ? "is" : "are"} left out.`,
          )
        : null,
      importances.shap
        ? null
        : make(
            "li",
            {},
            "Shapley values are not defined where a missing value goes down every branch.",
          ),
      importances.permutation
        ? null
        : make("li", {}, "Permutation needs the target, which the table lacks."),
    ),
    make(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Importances" },
      make(
        "table",
        { class: "importances" },
        make("caption", {}, "Importances"),
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "column"), headings)),
        body,
      ),
    ),
    importances.column.length > FIRST_COLUMNS ? more : null,
  );
  sort("gain");
  return shownSection;
};
