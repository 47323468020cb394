// Two drafts side by side, cross-validation in the background, and saving.
const comparePart = make("div", {});
const validationPart = make("span", { role: "status" });

const checkedFigure = (name, text) => [
  `cross-validated ${name}`,
  (f) => (f.checked ? text(f.checked[name]) : "not yet"),
];
const figures = [
  ["decisions", (f) => String(f.lines)],
  ["leaves", (f) => String(f.leaves)],
  ["depth", (f) => String(f.depth)],
  ["training error", (f) => percent(f.error)],
  checkedFigure("error", percent),
  ["training AUC", (f) => rounded(f.auc)],
  [...checkedFigure("auc", rounded)].map((part) =>
    typeof part === "string" ? part.replace("auc", "AUC") : part,
  ),
  ["certificate holds", (f) => (f.holds ? "yes" : "no")],
];
const costFigures = [
  ["training cost of a row", (f) => rounded(f.cost)],
  checkedFigure("cost", rounded),
];

const statusShown = (claim) =>
  make(
    "span",
    { class: claim.status === "refuted" ? "broken" : null },
    make("b", {}, claim.status),
    claim.status === "proved" ? "" : [": ", make("bdi", {}, claim.why)],
  );
const provedText = (f) => `${f.claims.filter((each) => each.status === "proved").length} of ${f.claims.length}`;

// Constraints may have been set or lifted since a draft was put aside.
const claimRows = (now, kept) => {
  const sides = kept ? [kept, now] : [now],
    names = new Set(sides.flatMap((each) => each.claims.map(({ claim }) => claim)));
  return [...names].map((name) => [
    make("bdi", {}, name),
    ...sides.map((each) => {
      const claim = each.claims.find((one) => one.claim === name);
      return claim ? statusShown(claim) : "not asked";
    }),
  ]);
};

const showComparison = () => {
  const { now, kept } = DATA;
  const head = kept ? ["figure", "put aside", "now"] : ["figure", "now"];
  const shown = [
    ...figures,
    ...(now.cost === null ? [] : costFigures),
    ...(now.claims.length || kept?.claims.length ? [["constraints proved", provedText]] : []),
  ];
  const rows = shown.map(([name, text]) =>
    kept ? [name, text(kept), text(now)] : [name, text(now)],
  );
  comparePart.replaceChildren(
    table("The present draft" + (kept ? " beside the one put aside" : ""), head, [
      ...rows,
      ...claimRows(now, kept),
    ]),
    now.claims.length
      ? make(
          "p",
          { class: "quiet" },
          "Growth keeps the constraints; that the tree does is proved once more, for every row there can be.",
        )
      : "",
    ...(kept ? [make("h3", {}, "The draft put aside"), make("pre", {}, kept.log)] : []),
  );
};

const showValidation = (state) => {
  const [found] = state.found;
  validationPart.textContent = state.running
    ? `Fold ${state.done + 1} of ${state.folds} \u2026`
    : (state.said ?? (found ? `Cross-validated error ${percent(found.error)}.` : ""));
};

const follow = async () => {
  for (;;) {
    const state = await ask("validation");
    if (!state) return;
    showValidation(state);
    if (!state.running) break;
    await new Promise((done) => setTimeout(done, 250));
  }
  const state = await ask("state");
  if (state && state.version === DATA.version) {
    DATA.now = state.now;
    showComparison();
  }
};

const compareSection = () =>
  section(
    "compare",
    "Compare and save",
    make(
      "div",
      { class: "steps" },
      button("Put this draft aside", async () => {
        const state = await ask("keep", {});
        if (state) renew(state);
      }),
      button("Cross-validate", async () => {
        const state = await ask("validate", {});
        if (!state) return;
        showValidation(state);
        follow();
      }),
      button("Cancel", () => ask("cancel", {})),
      button("Save model, draft and report", async () => {
        const found = await ask("save", {});
        if (found) say(`Written: ${found.written.join(", ")}`);
      }),
      validationPart,
    ),
    comparePart,
  );
