// The page is put together here.
const DATA = JSON.parse(document.getElementById("content").textContent);
const MODEL = DATA.model;
const TREES = [];
// Whether the page holds all trees of the model, and can answer as it does.
const answers = () => TREES.length > 0 && TREES.length === MODEL.n_trees;

const heading = () => {
  const title = [MODEL.name, MODEL.target ? [" of ", nameOf(MODEL.target)] : ""];
  document.title = `${MODEL.name}${MODEL.target ? ` of ${clipped(MODEL.target)}` : ""} \u2013 hardwood report`;
  document.getElementById("heading").replaceChildren(...title.flat());
  document
    .getElementById("lead")
    .append(
      ...[
        DATA.source ? [nameOf(DATA.source, 80), ". "] : "",
        "Classes: ",
        MODEL.classes.slice(0, 8).map((name, place) => [
          place ? ", " : "",
          nameOf(name, MODEL.classes.length > 4 ? LONGEST_NAME : 80),
        ]),
        MODEL.classes.length > 8 ? ` and ${MODEL.classes.length - 8} more` : "",
        ".",
      ].flat(3),
    );
  const { quality, data } = DATA,
    facts = [];
  if (MODEL.kind === "tree")
    facts.push(
      [TREES[0].leaves.toLocaleString("en"), TREES[0].leaves === 1 ? "leaf" : "leaves"],
      [TREES[0].depth.reduce((most, depth) => Math.max(most, depth), 0), "deep"],
    );
  else facts.push([MODEL.rounds.toLocaleString("en"), MODEL.rounds === 1 ? "round" : "rounds"]);
  facts.push(
    [data.rows.toLocaleString("en"), "rows here"],
    [data.columns.toLocaleString("en"), "columns"],
  );
  if (quality) facts.push([percent(quality.wrong / quality.rows), "error here"]);
  if (DATA.curves?.auc) facts.push([rounded(DATA.curves.auc), "AUC here"]);
  document
    .getElementById("facts")
    .append(
      ...facts.map(([value, words]) => make("li", {}, make("b", {}, String(value)), ` ${words}`)),
    );
  document.getElementById("notes").textContent =
    DATA.here.trained && quality
      ? "Every leaf holds as many rows of each class as in training, so these seem to be the training rows: errors on them are smaller than on new rows."
      : "";
};

const footing = () =>
  make(
    "p",
    {},
    "Digest ",
    make("code", {}, DATA.digest),
    `. hardwood ${DATA.version}.`,
    MODEL.parameters.length
      ? [
          " Parameters other than the defaults: ",
          make("code", {}, MODEL.parameters.map(([name, value]) => `${name}=${value}`).join(", ")),
          ".",
        ]
      : "",
  );

// A single tree is what the model does; of many trees importances and effects say more.
const sectionsOf = (trees, whatIf) => {
  const single = MODEL.kind === "tree",
    columns = [importanceSection(), effectsSection()];
  const model = [single && TREES.length ? trees() : null, answers() ? whatIf() : null];
  return [
    ...(single ? model : [...columns, ...model]),
    qualitySection(),
    ...(single ? columns : [DATA.rounds ? roundsSection() : null, TREES.length ? trees() : null]),
    DATA.claims ? claimsSection() : null,
    dataSection(),
    theorySection(),
  ].filter(Boolean);
};

const start = async () => {
  for (const lists of await unpacked(MODEL.trees)) TREES.push(new Tree(lists));
  if (MODEL.bare) for (const lists of await bareTrees(MODEL.bare)) TREES.push(new Tree(lists));
  heading();
  const narrow = window.matchMedia("(max-width: 40rem)").matches;
  const panel = make("div", { class: narrow ? "panel outline" : "panel" });
  const details = make("aside", {
    class: "details",
    "aria-label": "The node in words",
    tabindex: 0,
  });
  const view = new TreeView(panel, details);
  let answered = null;
  const mark = () => {
    if (!answers()) return -1;
    const leaf = MODEL.kind === "tree" ? answered.leaf : leafFor(view.tree, whatIf.row);
    view.follow(leaf >= 0 ? view.tree.way(leaf) : []);
    return leaf;
  };
  const whatIf = new WhatIf((answer) => {
    answered = answer;
    mark();
  });
  const show = (tree) => {
    view.show(tree);
    mark();
  };
  const sections = sectionsOf(
    () => treeSection(view, panel, details, show),
    () =>
      whatIfSection(whatIf, () => {
        const leaf = mark();
        if (leaf >= 0) view.focus(leaf);
      }),
  );
  document.getElementById("main").replaceChildren(...sections);
  document
    .getElementById("sections")
    .append(
      ...sections.map((each) =>
        make("li", {}, make("a", { href: `#${each.id}` }, each.querySelector("h2").textContent)),
      ),
    );
  document.getElementById("footer").append(footing());
  if (TREES.length) {
    view.show(TREES[0]);
    if (answers()) whatIf.answer();
  }
  // For tests and for readers who like the console.
  const read = (row) =>
    new Map(
      Object.entries(row).map(([j, value]) => [
        Number(j),
        typeof value === "string" ? readNumber(value) : value,
      ]),
    );
  window.hardwoodReport = {
    predict: (row) => answerFor(read(row)),
    change: (row, wishes = {}, seconds = SECONDS) =>
      whatIf.change.search.find(
        read(row),
        { ...wishes, moves: new Map(Object.entries(wishes.moves ?? {}).map(([j, wish]) => [Number(j), wish])) },
        seconds,
      ),
    rule: (node, tree = 0) => TREES[tree].rule(node),
    trees: TREES,
    whatIf,
  };
  document.documentElement.dataset.ready = "yes";
};
start();
