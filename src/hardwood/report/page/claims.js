// What is claimed about the model: proved, refuted by rows, or open.
const claimRows = (rows) => {
  const [first, second] = rows;
  const shown = first.filter(([, value], place) => !second || second[place][1] !== value);
  const cells = (second ? shown : first).map(([name, value]) => {
    const place = first.findIndex(([each]) => each === name);
    return [nameOf(name, 32), ...(second ? [value, second[place][1]] : [value])];
  });
  const parts = [
    table(
      second ? "What differs between the two rows" : "The row",
      second ? ["column", "first", "second"] : ["column", "value"],
      cells,
    ),
  ];
  if (second)
    parts.push(
      table(
        "What both rows have",
        ["column", "value"],
        first
          .filter(([, value], place) => second[place][1] === value)
          .map(([name, value]) => [nameOf(name, 32), value]),
      ),
    );
  return make(
    "details",
    {},
    make("summary", {}, rows.length > 1 ? "The two rows" : "The row"),
    ...parts,
  );
};

const claimsSection = () => {
  const { summary, results } = DATA.claims;
  return section(
    "claims",
    "What is proved",
    make("p", {}, `${summary}. Proofs are about every row there can be, not about this table.`),
    make(
      "ul",
      { class: "claims" },
      results.map((each) =>
        make(
          "li",
          {},
          make("b", {}, each.status),
          `: ${each.claim}. ${each.explanation}`,
          each.rows.length ? claimRows(each.rows) : "",
        ),
      ),
    ),
  );
};
