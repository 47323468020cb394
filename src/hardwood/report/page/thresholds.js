// A threshold on the probability of a class: what it takes, what it misses, what that costs.
const thresholdText = (threshold) =>
  threshold === null ? "above every row" : numberText(threshold);

// Costs of a miss and of a false alarm -> the expected cost per row at every threshold.
const costsOf = (part, miss, alarm) =>
  part.hits.map(
    (hits, at) =>
      (miss * (part.hits[0] - hits) + alarm * part.alarms[at]) / (part.hits[0] + part.alarms[0]),
  );
// The cheapest threshold, the nearest to the model's own on a tie.
const cheapestOf = (part, costs) => {
  const least = Math.min(...costs);
  return costs.reduce(
    (best, cost, at) =>
      cost === least && (best < 0 || Math.abs(at - part.start) < Math.abs(best - part.start))
        ? at
        : best,
    -1,
  );
};

const thresholdMatrix = (part, at) => {
  const name = clipped(MODEL.classes[part.class], 24),
    other = othersName(part);
  const hits = part.hits[at],
    alarms = part.alarms[at],
    missed = part.hits[0] - hits,
    left = part.alarms[0] - alarms;
  const most = Math.max(hits, alarms, missed, left, 1);
  const cell = (count, right) =>
    make(
      "td",
      {
        class: right ? "right" : count ? "mistaken" : "none",
        style: { "--depth": (count / most).toFixed(3) },
      },
      count.toLocaleString("en"),
    );
  return make(
    "table",
    { class: "matrix" },
    make("caption", {}, "Rows of a class (down) by what is said at the threshold (across)"),
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        make("td", {}),
        [name, other].map((each) => make("th", { scope: "col" }, nameOf(each, 24))),
      ),
    ),
    make(
      "tbody",
      {},
      make(
        "tr",
        {},
        make("th", { scope: "row" }, nameOf(name, 24)),
        cell(hits, true),
        cell(missed),
      ),
      make(
        "tr",
        {},
        make("th", { scope: "row" }, nameOf(other, 24)),
        cell(alarms),
        cell(left, true),
      ),
    ),
  );
};

const thresholdFacts = (part, at) => {
  const hits = part.hits[at],
    alarms = part.alarms[at],
    positives = part.hits[0],
    negatives = part.alarms[0];
  const share = (count, all) => (all ? percent(count / all) : "\u2013");
  return [
    ["found (recall)", share(hits, positives)],
    ["of those taken, right (precision)", share(hits, hits + alarms)],
    ["others taken (false alarms)", share(alarms, negatives)],
    ["mistaken in all", share(positives - hits + alarms, positives + negatives)],
  ];
};

const costField = (id, words, changed) => {
  const input = make("input", {
    id,
    value: "1",
    inputmode: "decimal",
    autocomplete: "off",
    input: () => {
      const value = Number(readNumber(input.value) ?? NaN);
      input.toggleAttribute("aria-invalid", false);
      if (value >= 0) changed(value);
      else input.setAttribute("aria-invalid", "true");
    },
  });
  return make("div", { class: "price" }, make("label", { for: id }, words), input);
};

// `moved(at)` is told where the slider stands.
const thresholdBlock = (part, moved) => {
  const costs = { miss: 1, alarm: 1 };
  const matrix = make("div", {
    class: "scroll",
    tabindex: 0,
    role: "region",
    "aria-label": "Confusion matrix at the threshold",
  });
  const facts = make("dl", {}),
    told = make("p", { class: "cost", "aria-live": "polite" }),
    reads = make("output", { for: "threshold", class: "amount" });
  const slider = make("input", {
    type: "range",
    id: "threshold",
    min: 0,
    max: part.hits.length - 1,
    step: 1,
    value: part.start,
    input: () => show(),
  });
  const priced = () => {
    const each = costsOf(part, costs.miss, costs.alarm),
      best = cheapestOf(part, each),
      at = Number(slider.value);
    told.replaceChildren(
      "Expected cost per row: ",
      make("b", { class: "expected" }, rounded(each[at])),
      ". The cheapest threshold is ",
      make("b", { class: "cheapest" }, thresholdText(part.threshold[best])),
      " with ",
      make("b", { class: "least" }, rounded(each[best])),
      ".",
    );
    return best;
  };
  const show = () => {
    const at = Number(slider.value),
      text = thresholdText(part.threshold[at]);
    reads.textContent = part.threshold[at] === null ? text : `${text} or more`;
    slider.setAttribute("aria-valuetext", reads.textContent);
    matrix.replaceChildren(thresholdMatrix(part, at));
    facts.replaceChildren(
      ...thresholdFacts(part, at).flatMap(([name, value]) => [
        make("dt", {}, name),
        make("dd", {}, value),
      ]),
    );
    priced();
    moved(at);
  };
  const go = (at) => {
    slider.value = at;
    show();
  };
  const priceOf = (kind) => (value) => {
    costs[kind] = value;
    priced();
  };
  const name = clipped(MODEL.classes[part.class], 24),
    button = (words, click) => make("button", { type: "button", click }, words);
  show();
  return figure(
    "Threshold and costs",
    make(
      "p",
      {},
      "A row is taken for ",
      nameOf(name),
      " if its probability is at least the threshold.",
    ),
    make(
      "div",
      { class: "threshold" },
      make("label", { for: "threshold" }, "Threshold"),
      slider,
      reads,
      button(MODEL.classes.length > 2 ? "As many as predicted" : "The model\u2019s own", () =>
        go(part.start),
      ),
      button("The cheapest", () => go(priced())),
    ),
    make(
      "div",
      { class: "pair" },
      matrix,
      make(
        "div",
        {},
        facts,
        make(
          "div",
          { class: "prices" },
          costField("cost-miss", "Cost of a miss", priceOf("miss")),
          costField("cost-alarm", "Cost of a false alarm", priceOf("alarm")),
        ),
        told,
      ),
    ),
  );
};
