// The table in a line per column.
const KINDS = {
  numeric: "numbers",
  integer: "whole numbers",
  unsigned: "whole numbers",
  category: "categories",
};
const ROWS_AT_START = 30;

const sketch = (bars) => {
  const most = Math.max(...bars);
  return draw(
    "svg",
    { class: "sketch", width: 72, height: 20, "aria-hidden": "true" },
    bars.map((count, place) =>
      draw("rect", {
        x: place * 6,
        y: 20 - Math.max(count ? 1 : 0, (20 * count) / most),
        width: 5,
        height: Math.max(count ? 1 : 0, (20 * count) / most),
        fill: colourOf(0),
      }),
    ),
  );
};

const valuesOf = (column) => {
  if (column.yes !== undefined) {
    const known = DATA.data.sampled - column.missing;
    return known ? `true in ${percent(column.yes / known)}` : "no values";
  }
  if (column.kind !== "category") {
    return column.low === undefined
      ? "no values"
      : [
          column.bars?.length ? sketch(column.bars) : null,
          ` ${column.low} to ${column.high}, median ${column.middle}`,
        ];
  }
  const parts = column.common.flatMap(([name, count], place) => [
    place ? ", " : "",
    nameOf(name, 24),
    ` (${count.toLocaleString("en")})`,
  ]);
  const more = column.distinct - column.common.length;
  if (more > 0) parts.push(` and ${more.toLocaleString("en")} more`);
  if (column.unseen)
    parts.push(`; ${counted(column.unseen, "row")} with categories not seen in training`);
  return parts.length ? parts : "no values";
};

const dataSection = () => {
  const { data } = DATA,
    columns = Object.values(data.summary),
    sampled = data.sampled < data.rows;
  const line = (column) => [
    nameOf(column.name),
    column.yes === undefined ? KINDS[column.kind] : "true or false",
    percent(column.missing / data.sampled),
    column.distinct.toLocaleString("en"),
    valuesOf(column),
  ];
  const shown = table(
    "Columns",
    ["column", "kind", "missing", "distinct", "values"],
    columns.slice(0, ROWS_AT_START).map(line),
  );
  const rest = columns.slice(ROWS_AT_START);
  const more = make(
    "button",
    {
      type: "button",
      click: () => {
        shown.querySelector("tbody").append(
          ...rest.map((column) =>
            make(
              "tr",
              {},
              line(column).map((cell, place) =>
                place ? make("td", {}, cell) : make("th", { scope: "row" }, cell),
              ),
            ),
          ),
        );
        more.remove();
      },
    },
    `${rest.length.toLocaleString("en")} more`,
  );
  const classes = data.classes;
  const total = classes ? classes.reduce((sum, count) => sum + count, 0) : 0;
  return section(
    "data",
    "The table",
    make(
      "p",
      {},
      `${counted(data.rows, "row")}, ${counted(data.columns, "column")}.`,
      sampled
        ? ` The numbers per column are of ${counted(data.sampled, "row")} at even distances.`
        : "",
      columns.length < data.columns
        ? ` ${counted(columns.length, "column")} are listed, those that matter most.`
        : "",
    ),
    classes
      ? make(
          "div",
          { class: "classes" },
          shareList(
            classes.map((count) => count / total),
            MODEL.classes,
            (place) =>
              `${classes[place].toLocaleString("en")} (${percent(classes[place] / total)})`,
          ),
        )
      : null,
    shown,
    rest.length ? more : null,
  );
};
