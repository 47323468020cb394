// The section around the tree: search, folding, the choice of a round.
const treeTools = (view, panel) => {
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
  const words = make("input", {
    type: "search",
    id: "search",
    placeholder: "column, class or #node",
    autocomplete: "off",
    dir: "auto",
    input: look,
    keydown: (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        go(event.shiftKey ? -1 : 1);
      }
    },
  });
  const whole = make("span", { class: "quiet", "aria-live": "polite" });
  const button = (text, click) => make("button", { type: "button", click }, text);
  return make(
    "div",
    { class: "tools" },
    make("label", { for: "search" }, "Find"),
    words,
    button("Previous", () => go(-1)),
    button("Next", () => go(1)),
    found,
    button("Open all", () => {
      whole.textContent = view.unfold(OPEN_AT_MOST)
        ? ""
        : `Opened as far as ${OPEN_AT_MOST.toLocaleString("en")} nodes allow.`;
      view.refit();
    }),
    button("Fold all", () => {
      whole.textContent = "";
      view.foldAll();
    }),
    button("Diagram or outline", () => {
      panel.classList.toggle("outline");
      view.refit();
    }),
    make("span", { class: "group", role: "group", "aria-label": "Zoom" }, view.zoom.tools()),
    treeSwitches(view),
    whole,
  );
};

// What the cards show; the tree is drawn anew.
const treeSwitches = (view) => {
  if (MODEL.kind !== "tree") return null;
  const [tree] = TREES;
  const toggle = (words, key) => {
    const box = make("input", {
      type: "checkbox",
      checked: view[key],
      change: () => {
        view[key] = box.checked;
        view.show(view.tree);
        view.follow(view.onPath);
      },
    });
    return make("label", { class: "switch" }, box, ` ${words}`);
  };
  const same = tree.saidBelow.some((label, node) => label >= 0 && tree.arity[node]);
  return [
    same ? toggle("leaves that say the same as one", "merged") : null,
    DATA.distributions ? toggle("histograms in the cards", "pictures") : null,
  ];
};

const roundPicker = (show) => {
  if (MODEL.n_trees < 2) return null;
  const several = MODEL.outputs > 1 && TREES[0].place === null;
  const round = make("input", {
    type: "number",
    id: "round",
    min: 1,
    max: MODEL.readable_rounds,
    value: 1,
    inputmode: "numeric",
  });
  const whose = several
    ? make(
        "select",
        { id: "whose" },
        MODEL.classes.map((name, place) =>
          make("option", { value: place, dir: "auto" }, clipped(name)),
        ),
      )
    : null;
  const pick = () => {
    const number = Math.min(Math.max(Math.round(Number(round.value)) || 1, 1), MODEL.readable_rounds) - 1,
      output = whose ? Number(whose.value) : null;
    show(
      TREES.find((tree) => tree.round === number && (output === null || tree.output === output)) ??
        TREES[0],
    );
  };
  round.addEventListener("input", pick);
  whose?.addEventListener("input", pick);
  return make(
    "div",
    { class: "tools" },
    make("label", { for: "round" }, `Round (of ${MODEL.rounds.toLocaleString("en")})`),
    round,
    whose ? [make("label", { for: "whose" }, "class"), whose] : null,
    MODEL.readable_rounds < MODEL.rounds
      ? make(
          "span",
          { class: "quiet" },
          `The first ${counted(MODEL.readable_rounds, "round")} of this large model can be read here.`,
        )
      : null,
  );
};

const treeSection = (view, panel, details, show) =>
  section(
    "tree",
    MODEL.kind === "tree" ? "The tree" : "The trees",
    make(
      "p",
      {},
      "A card shows its condition, its training rows and their class shares; a line is as thick as the share of the rows that flows through it. Arrow keys move, open and fold, + and \u2212 zoom (or the wheel with Ctrl), 0 fits the width; hover or focus tells more.",
      MODEL.kind === "boosted" ? " A leaf adds its score; the scores of all rounds add up." : "",
      answers()
        ? ""
        : ` A what-if needs all ${counted(MODEL.n_trees, "tree")}, which are too many for a page.`,
    ),
    roundPicker(show),
    treeTools(view, panel),
    make(
      "ul",
      { class: "legend" },
      MODEL.classes.slice(0, 24).map((name, place) =>
        make(
          "li",
          {},
          make("span", {
            class: "swatch",
            "aria-hidden": "true",
            style: { background: colourOf(place) },
          }),
          nameOf(name, MODEL.classes.length > 4 ? 24 : LONGEST_NAME),
        ),
      ),
      MODEL.classes.length > 24
        ? make("li", { class: "quiet" }, `and ${MODEL.classes.length - 24} more`)
        : null,
      answers()
        ? make(
            "li",
            {},
            make("span", { class: "swatch route", "aria-hidden": "true" }),
            "way of the row under \u201cWhat if?\u201d",
          )
        : null,
    ),
    make("div", { class: "viewer" }, panel, details),
  );
