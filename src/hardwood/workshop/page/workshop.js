// The workshop: the report's tree, live, with what else a node could be and buttons to decide.
// The report's components read DATA and MODEL; here both change with every step. A page that came
// before the tree was grown has neither yet.
let DATA = JSON.parse(document.getElementById("content").textContent);
let MODEL = DATA?.model;
let chosen = 0;
let asked = 0; // the latest question for alternatives

const reason = make("input", {
  type: "text",
  id: "reason",
  autocomplete: "off",
  dir: "auto",
  placeholder: "why (kept in the draft)",
});

const act = async (step) => {
  say("");
  const why = reason.value.trim();
  const told = why && step.do !== "undo" && step.do !== "redo" ? { ...step, reason: why } : step;
  const state = await ask("act", { version: DATA.version, step: told });
  if (!state) return;
  reason.value = "";
  renew(state);
};
const about = (step) => act({ ...step, node: chosen });

const narrow = window.matchMedia("(max-width: 40rem)").matches;
const panel = make("div", { class: narrow ? "panel outline" : "panel" });
const details = make("aside", {
  class: "details",
  "aria-label": "The node in words",
  tabindex: 0,
});

class LiveTree extends TreeView {
  focused(event) {
    super.focused(event);
    choose(this.nodeOf(event));
  }
}
const view = new LiveTree(panel, details);

const nodePart = make("div", { "aria-live": "polite" });
const offersPart = make("div", {});
const columnsHere = new NodeColumns();
const trialsHere = new NodeTrials(offersPart);
const refusedHere = new NodeRefusals();
const logPart = make("div", {});

const offerRow = (offer) => [
  make("bdi", {}, clipped(offer.words.replace(/^split on /, ""), 120)),
  rounded(offer.drop, 4),
  rounded(offer.price, 4),
  offer.errors,
  offer.forbidden ? "" : make("span", { class: "tried" }, "\u2013"),
  offer.forbidden ? "forbidden here" : decisions(offer),
];

const decisions = (offer) =>
  make(
    "div",
    { class: "steps" },
    button("Take", () => about(offer.step), {
      "aria-label": `Take ${clipped(offer.words)}`,
      title: "this split, as it stands",
    }),
    offer.rounded.map((short) =>
      button([short.value, make("small", {}, ` ${short.more}`)], () => about(short.step), {
        class: "round",
        "aria-label": `Round: ${short.price_text}`,
        title: short.price_text,
      }),
    ),
    button("Prefer", () => about({ do: "prefer", column: offer.column }), {
      "aria-label": `Prefer the column ${clipped(offer.column)}, at its best split`,
      title: "this column, where it is best",
    }),
    button("Forbid", () => about({ do: "forbid", column: offer.column }), {
      "aria-label": `Forbid the column ${clipped(offer.column)} here and below`,
      title: "never this column, here and below",
    }),
  );

const showOffers = async () => {
  const mine = ++asked;
  offersPart.replaceChildren(make("p", { class: "quiet" }, "Searching \u2026"));
  const found = await ask("alternatives", { node: chosen });
  if (mine !== asked || !found) return;
  trialsHere.begin(chosen, found.offers.length);
  columnsHere.begin(chosen, found.offers);
  refusedHere.begin(chosen);
  offersPart.replaceChildren(
    found.offers.length
      ? table(
          `What node ${found.place} could be split on, best first`,
          [
            "split on",
            "drop",
            "price",
            "errors, as leaves",
            "cross-validated error",
            "decide (rounded thresholds with their price)",
          ],
          found.offers.map(offerRow),
          { class: "offers" },
        )
      : make("p", {}, "No column offers a split here that the limits allow."),
  );
};

const choose = (node) => {
  if (node === null) return;
  chosen = node;
  view.follow(view.tree.way(node));
  const told = DATA.told[node] ?? [];
  const split = MODEL.trees[0].arity[node] > 0;
  nodePart.replaceChildren(
    make("h3", {}, `${split ? "Node" : "Leaf"} ${node}`),
    told.length ? make("ul", { class: "told" }, told.map((text) => make("li", {}, text))) : "",
  );
  showOffers();
};

const nodeSection = () =>
  section(
    "node",
    "Decide",
    make(
      "p",
      {},
      "Choose a node in the tree with the arrow keys or by a click; what it could be split on stands below. Every decision keeps the splits above the node and lets the rest grow again.",
    ),
    constraintsPart,
    settings,
    make(
      "div",
      { class: "steps" },
      make("label", { for: "reason" }, "Reason"),
      reason,
      button("Leaf", () => about({ do: "leaf" })),
      button("Note", () => about({ do: "note" })),
      button("Let it grow", () => about({ do: "free" })),
      button("Undo", () => about({ do: "undo" }), { id: "undo" }),
      button("Redo", () => about({ do: "redo" }), { id: "redo" }),
    ),
    nodePart,
    offersPart,
    trialsHere.part,
    refusedHere.part,
    columnsHere.part,
  );

const showLog = () => {
  const { lines, remarks } = DATA;
  logPart.replaceChildren(
    lines.length
      ? make(
          "ol",
          { class: "log" },
          lines.map((line) =>
            make(
              "li",
              { class: line.unmet ? "unmet" : null },
              make("b", {}, line.node),
              `: ${line.words}`,
              line.reason ? [" \u2013 ", make("q", { dir: "auto" }, line.reason)] : "",
              line.unmet ? " (does not fit these rows; passed over)" : "",
            ),
          ),
        )
      : make("p", {}, "No decisions yet: this is the tree as it grows by itself."),
    ...remarks.map((text) => make("p", { class: "note" }, text)),
  );
};

const renew = (state) => {
  const place = state.at ?? (DATA.version === state.version ? chosen : 0);
  DATA = state;
  MODEL = state.model;
  const kept = state.model.trees[0];
  const tree = new Tree(kept);
  view.show(tree);
  document
    .getElementById("facts")
    .replaceChildren(
      make("li", {}, counted(state.now.leaves, "leaf", "leaves")),
      make("li", {}, make("b", {}, percent(state.now.error)), " training error"),
      make("li", {}, counted(state.now.lines, "decision")),
    );
  document.getElementById("undo").disabled = !state.undo;
  document.getElementById("redo").disabled = !state.redo;
  document.getElementById("footer").replaceChildren(
    make("p", {}, "Digest ", make("code", {}, state.digest), "."),
    state.file ? make("p", {}, "The draft is in ", make("code", {}, state.file), ".") : "",
  );
  showLog();
  showConstraints();
  showComparison();
  showValidation(state.validation);
  // A button that was pressed may be gone with the old table; then the tree has the focus.
  view.reveal(view.drawn(place));
  view.centre(view.drawn(place));
  if (document.activeElement === document.body && document.documentElement.dataset.ready)
    view.focus(place, false);
  else {
    view.enter(view.drawn(place));
    view.describe(place);
    choose(place);
  }
};

const start = async () => {
  if (!DATA) {
    say("Growing the tree \u2026");
    DATA = await ask("state");
    if (!DATA) return;
    MODEL = DATA.model;
    say("");
  }
  document.getElementById("heading").replaceChildren("Workshop", MODEL.target ? " of " : "", MODEL.target ? nameOf(MODEL.target) : "");
  document.title = "hardwood workshop";
  document.getElementById("main").replaceChildren(
    section(
      "tree",
      "The tree",
      make(
        "ul",
        { class: "legend" },
        MODEL.classes.slice(0, 12).map((name, place) =>
          make(
            "li",
            {},
            make("span", {
              class: "swatch",
              "aria-hidden": "true",
              style: { background: colourOf(place) },
            }),
            nameOf(name, 24),
          ),
        ),
      ),
      make("div", { class: "viewer" }, panel, details),
    ),
    nodeSection(),
    section("log", "Decisions", logPart),
    compareSection(),
  );
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.target.tagName === "INPUT") return;
    const redo = event.key === "y" || (event.shiftKey && event.key.toLowerCase() === "z");
    if (!redo && event.key !== "z") return;
    event.preventDefault();
    about({ do: redo ? "redo" : "undo" });
  });
  renew(DATA);
  document.documentElement.dataset.ready = "yes";
};
start();
