// The page is put together here.
const DATA = JSON.parse(document.getElementById("content").textContent);
const MODEL = DATA.model;
const TREES = MODEL.trees.map((lists) => new Tree(lists));

const heading = () => {
  const title = [MODEL.name, MODEL.target ? [" of ", nameOf(MODEL.target)] : ""];
  document.title = `${MODEL.name}${MODEL.target ? ` of ${clipped(MODEL.target)}` : ""} \u2013 hardwood report`;
  document.getElementById("heading").replaceChildren(...title.flat());
  document.getElementById("lead").append(...[
    DATA.source ? [nameOf(DATA.source, 80), ". "] : "",
    "Classes: ", MODEL.classes.slice(0, 8).map((name, place) => [place ? ", " : "", nameOf(name, 24)]),
    MODEL.classes.length > 8 ? ` and ${MODEL.classes.length - 8} more` : "", "."].flat(3));
  const { quality, data } = DATA, facts = [];
  if (MODEL.kind === "tree") facts.push([TREES[0].leaves.toLocaleString("en"), TREES[0].leaves === 1 ? "leaf" : "leaves"], [TREES[0].depth.reduce((most, depth) => Math.max(most, depth), 0), "deep"]);
  else facts.push([MODEL.rounds.toLocaleString("en"), MODEL.rounds === 1 ? "round" : "rounds"]);
  facts.push([data.rows.toLocaleString("en"), "rows here"], [data.columns.toLocaleString("en"), "columns"]);
  if (quality) facts.push([percent(quality.wrong / quality.rows), "error here"]);
  document.getElementById("facts").append(...facts.map(([value, words]) => make("li", {}, make("b", {}, String(value)), ` ${words}`)));
  document.getElementById("notes").textContent = DATA.here.trained && quality
    ? "Every leaf holds as many rows of this table as in training, so these seem to be the training rows: errors on them are smaller than on new rows." : "";
};

const parts = (view, panel) => {
  const found = make("span", { class: "found", "aria-live": "polite" });
  let place = -1;
  const go = (by) => {
    if (!view.hits.length) return;
    place = (place + by + view.hits.length) % view.hits.length;
    view.showHit(place);
    found.textContent = `${place + 1} of ${view.hits.length}`;
  };
  const look = (event) => {
    place = -1;
    view.search(event.target.value);
    found.textContent = event.target.value.trim() ? counted(view.hits.length, "node") : "";
    if (view.hits.length && view.hits.length < view.tree.nodes) go(1);
  };
  const words = make("input", { type: "search", id: "search", placeholder: "column, category, class or #node", autocomplete: "off", dir: "auto", input: look, keydown: (event) => {
    if (event.key === "Enter") { event.preventDefault(); go(event.shiftKey ? -1 : 1); }
  } });
  const whole = make("span", { class: "quiet", "aria-live": "polite" });
  const button = (text, click) => make("button", { type: "button", click }, text);
  return make("div", { class: "tools" },
    make("label", { for: "search" }, "Find"), words, button("Previous", () => go(-1)), button("Next", () => go(1)), found,
    button("Open all", () => { whole.textContent = view.unfold(OPEN_AT_MOST) ? "" : `Opened as far as ${OPEN_AT_MOST.toLocaleString("en")} nodes allow.`; }),
    button("Fold all", () => { whole.textContent = ""; view.foldAll(); }),
    button("Diagram or outline", () => { panel.classList.toggle("outline"); view.centre(0); }), whole);
};

const roundPicker = (show) => {
  if (TREES.length < 2) return null;
  const several = MODEL.outputs > 1 && TREES[0].place === null;
  const round = make("input", { type: "number", id: "round", min: 1, max: MODEL.rounds, value: 1, inputmode: "numeric" });
  const whose = several ? make("select", { id: "whose" }, MODEL.classes.map((name, place) => make("option", { value: place, dir: "auto" }, clipped(name)))) : null;
  const pick = () => {
    const number = Math.min(Math.max(Math.round(Number(round.value)) || 1, 1), MODEL.rounds) - 1, output = whose ? Number(whose.value) : null;
    show(TREES.find((tree) => tree.round === number && (output === null || tree.output === output)) ?? TREES[0]);
  };
  round.addEventListener("input", pick);
  whose?.addEventListener("input", pick);
  return make("div", { class: "tools" }, make("label", { for: "round" }, `Round (of ${MODEL.rounds.toLocaleString("en")})`), round, whose ? [make("label", { for: "whose" }, "class"), whose] : null);
};

const treeSection = (view, panel, details, show) => section("tree", MODEL.kind === "tree" ? "The tree" : "The trees",
  make("p", {}, "A card shows its condition, its training rows and their class shares; a line is as thick as the share of the rows that flows through it. Arrow keys move, open and fold; hover or focus tells more.",
    MODEL.kind === "boosted" ? " A leaf adds its score; the scores of all rounds add up." : ""),
  roundPicker(show), parts(view, panel),
  make("ul", { class: "legend" }, MODEL.classes.slice(0, 12).map((name, place) => make("li", {}, make("span", { class: "swatch", "aria-hidden": "true", style: { background: colourOf(place) } }), nameOf(name, 24))),
    make("li", {}, make("span", { class: "swatch route", "aria-hidden": "true" }), "way of the row under \u201cWhat if?\u201d")),
  make("div", { class: "viewer" }, panel, details));

const footing = () => make("p", {}, "Digest ", make("code", {}, DATA.digest), `. hardwood ${DATA.version}.`,
  MODEL.parameters.length ? [" Parameters other than the defaults: ", make("code", {}, MODEL.parameters.map(([name, value]) => `${name}=${value}`).join(", ")), "."] : "");

const start = () => {
  heading();
  const narrow = window.matchMedia("(max-width: 40rem)").matches;
  const panel = make("div", { class: narrow ? "panel outline" : "panel" });
  const details = make("aside", { class: "details", "aria-label": "The node in words", tabindex: 0 });
  const view = new TreeView(panel, details);
  let answered = null;
  const mark = () => {
    const leaf = MODEL.kind === "tree" ? answered.leaf : leafFor(view.tree, whatIf.row);
    view.follow(leaf >= 0 ? view.tree.way(leaf) : []);
    return leaf;
  };
  const whatIf = new WhatIf((answer) => { answered = answer; mark(); });
  const show = (tree) => { view.show(tree); mark(); };
  const sections = [
    treeSection(view, panel, details, show),
    whatIfSection(whatIf, () => { const leaf = mark(); if (leaf >= 0) view.focus(leaf); }),
    qualitySection(),
    DATA.growth ? growthSection() : null,
    DATA.rounds ? roundsSection() : null,
    importanceSection(),
    DATA.certificate ? certificateSection() : null,
    dataSection(),
  ].filter(Boolean);
  if (!TREES.length) sections.splice(0, 2);
  document.getElementById("main").replaceChildren(...sections);
  document.getElementById("sections").append(...sections.map((each) => make("li", {}, make("a", { href: `#${each.id}` }, each.querySelector("h2").textContent))));
  document.getElementById("footer").append(footing());
  if (TREES.length) {
    view.show(TREES[0]);
    whatIf.answer();
  }
  // For tests and for readers who like the console.
  window.hardwoodReport = {
    predict: (row) => answerFor(new Map(Object.entries(row).map(([j, value]) => [Number(j), typeof value === "string" ? readNumber(value) : value]))),
    rule: (node, tree = 0) => TREES[tree].rule(node),
    trees: TREES,
    whatIf,
  };
  document.documentElement.dataset.ready = "yes";
};
start();
