// One class against the others: ROC, precision and recall, lift, calibration. The counts at every
// threshold come from the report; what is drawn are quotients of them.
const areaText = (area) => (area === null ? "\u2013" : area.toFixed(4));

// The name of what is not the class.
const othersName = (part) =>
  MODEL.classes.length === 2 ? clipped(MODEL.classes[1 - part.class]) : "other classes";

// Where nothing is taken, the precision of the rows that would be first.
const precisionAt = (part, at) => {
  const taken = part.hits[at] + part.alarms[at];
  if (taken) return part.hits[at] / taken;
  return at ? precisionAt(part, at - 1) : null;
};

const curvePoints = (part) => {
  const positives = part.hits[0],
    negatives = part.alarms[0],
    rows = positives + negatives;
  return part.hits.map((hits, at) => {
    const alarms = part.alarms[at],
      taken = hits + alarms;
    return {
      recall: positives ? hits / positives : null,
      fallout: negatives ? alarms / negatives : null,
      precision: precisionAt(part, at),
      taken: taken / rows,
      lift: taken && positives ? (hits / taken) * (rows / positives) : null,
    };
  });
};

// `at` marks one threshold.
const curveSpec = (spec, points, x, y, at) => ({
  ...spec,
  series: [
    {
      name: spec.line,
      step: spec.step,
      x: points.map((point) => point[x]),
      y: points.map((point) => point[y]),
    },
    {
      name: "at the threshold",
      points: true,
      radius: 6,
      colour: colourOf(5),
      x: [points[at][x]],
      y: [points[at][y]],
    },
  ],
});

const rocSpec = (part, points, at) =>
  curveSpec(
    {
      title: `ROC curve, AUC ${areaText(part.auc)}`,
      words: `How many ${clipped(MODEL.classes[part.class])} are found, and how many others are taken for one, at every threshold. The diagonal is guessing.`,
      says: `Area ${areaText(part.auc)}`,
      line: "found",
      x: { label: "share of the others taken (false alarms)", low: 0, high: 1 },
      y: { low: 0, high: 1, label: "share found" },
      diagonal: true,
    },
    points,
    "fallout",
    "recall",
    at,
  );

const precisionSpec = (part, points, at) => {
  const share = part.hits[0] / (part.hits[0] + part.alarms[0]);
  return curveSpec(
    {
      title: `Precision and recall, average precision ${areaText(part.average_precision)}`,
      words: `Of the rows taken, the share that is ${clipped(MODEL.classes[part.class])}; guessing gives ${percent(share)}.`,
      says: `Average precision ${areaText(part.average_precision)}`,
      line: "precision",
      step: true,
      level: share,
      x: { label: "share found (recall)", low: 0, high: 1 },
      y: { low: 0, high: 1, label: "precision" },
    },
    points,
    "recall",
    "precision",
    at,
  );
};

const liftSpec = (part, points, at) => {
  const tenth = points.reduce((best, point) =>
    Math.abs(point.taken - 0.1) < Math.abs(best.taken - 0.1) && point.lift !== null ? point : best,
  );
  const words =
    tenth.lift === null
      ? ""
      : ` The ${percent(tenth.taken)} of the rows with the highest probability hold ${percent(tenth.recall)} of them: ${rounded(tenth.lift, 3)} times as many as chance.`;
  return curveSpec(
    {
      title: "Lift",
      words: `Rows from the most probable down: how many times more ${clipped(MODEL.classes[part.class])} there are than in as many rows by chance.${words}`,
      says: words || "No row of the class",
      line: "lift",
      level: 1,
      x: { label: "share of the rows taken", low: 0, high: 1 },
      y: { low: 0, label: "lift" },
    },
    points,
    "taken",
    "lift",
    at,
  );
};

// Of a rare class probabilities lie near 0, where only log odds keep them apart.
const RARE = 0.1;
const calibrationSpec = ({ points, off }, about, logit) => {
  const least = (values) =>
    Math.min(0.1, ...values.filter((value) => value > 0).map((value) => value / 1.5));
  const seen = points.flatMap(([said, so, , low, high]) => [said, so, low, high]);
  const low = logit ? Math.max(least(seen), 1e-6) : 0;
  const high = logit ? 1 - Math.max(least(seen.map((value) => 1 - value)), 1e-6) : 1;
  const inside = (value) => Math.min(Math.max(value, low), high);
  return {
    title: "Calibration",
    says: `Groups of rows by probability; on average ${percent(off)} between what was said and what was so`,
    words: `Rows in groups by the probability ${about}: what the model said, and the share that was so with its 95% interval. On the diagonal both agree; here they are ${percent(off)} apart on average.${logit ? " Both axes are in log odds; shares of 0 and 1 lie on the edge." : ""}`,
    x: { label: "probability said", low, high, logit },
    y: { low, high, logit, label: "share that was so" },
    diagonal: true,
    series: [
      {
        name: "share that was so",
        points: true,
        radius: 4.5,
        x: points.map(([said]) => inside(said)),
        y: points.map(([, so]) => inside(so)),
        spans: points.map(([said, , , from, to]) => [inside(said), inside(from), inside(to)]),
      },
    ],
  };
};

const calibrationFigure = (calibration, about, logit) => {
  const shown = chart(calibrationSpec(calibration, about, logit));
  const box = make("input", {
    type: "checkbox",
    checked: logit,
    change: () => shown.redraw(calibrationSpec(calibration, about, box.checked)),
  });
  shown.querySelector(".chart").after(make("label", { class: "switch" }, box, " log-odds axes"));
  return shown;
};

// The curves of one class; `mark(at)` moves the threshold's dot in all of them.
const classCurves = (part) => {
  const points = curvePoints(part),
    share = part.hits[0] / (part.hits[0] + part.alarms[0]);
  const specs = [rocSpec, precisionSpec, liftSpec];
  const shown = specs.map((spec) => chart(spec(part, points, part.start)));
  const mark = (at) => {
    for (const [place, each] of shown.entries()) each.redraw(specs[place](part, points, at));
  };
  const calibrated = calibrationFigure(
    part.calibration,
    `of ${clipped(MODEL.classes[part.class])}`,
    share < RARE || share > 1 - RARE,
  );
  return { element: make("div", { class: "pair" }, shown, calibrated), mark };
};

// Everything about one class; a choice of the class above it.
const curvesBlock = () => {
  const { curves } = DATA;
  if (!curves) return null;
  const holder = make("div", {});
  const show = (place) => {
    const part = curves.classes[place],
      { element, mark } = classCurves(part);
    holder.replaceChildren(thresholdBlock(part, mark), element);
  };
  const chosen = make(
    "select",
    { id: "curve-class", change: () => show(Number(chosen.value)) },
    curves.classes.map((part, place) =>
      make("option", { value: place, dir: "auto" }, clipped(MODEL.classes[part.class])),
    ),
  );
  show(0);
  const left = curves.all - curves.classes.length;
  return make(
    "div",
    { class: "curves" },
    make("h3", {}, curves.all > 2 ? "One class against the others" : "Curves and thresholds"),
    make(
      "div",
      { class: "tools" },
      make("label", { for: "curve-class" }, "Class"),
      chosen,
      left ? make("span", { class: "quiet" }, `${left} rarer classes are left out`) : null,
    ),
    holder,
  );
};
