// Potential, advantage and bounds of a tree; errors and bound of a boosted model's rounds.
const errorName = () => (DATA.certificate.weighted ? "weighted training error" : "training error");

const growthFigures = () => {
  const { growth } = DATA,
    end = growth.leaves.length - 1;
  const lines = [
    { name: "potential", x: growth.leaves, y: growth.potential },
    { name: "bound of the certificate", x: growth.leaves, y: growth.bound },
    { name: errorName(), x: growth.leaves, y: growth.error },
    ...growth.claims.map(([name, y]) => ({ name: `claim ${name}`, x: growth.leaves, y })),
  ];
  const advantage = growth.least_advantage !== null;
  const radius = growth.split.length > 100 ? 2.5 : 4;
  const gains = [
    { name: "relative gain", points: true, radius, x: growth.split, y: growth.relative_gain },
  ];
  if (advantage)
    gains.unshift({
      name: "advantage",
      points: true,
      radius,
      x: growth.split,
      y: growth.advantage,
    });
  return [
    chart({
      title: "Potential and its bounds",
      words:
        "Every split lowers the potential. The certificate bounds it at every size, and the training error (of the weights, where rows have them) is at most half of it.",
      says: `With ${growth.leaves[end]} leaves the potential is ${rounded(growth.potential[end])}, the bound ${rounded(growth.bound[end])}, the ${errorName()} ${rounded(growth.error[end])}`,
      x: { label: "leaves", log: growth.leaves[end] > 100 },
      y: { low: 0 },
      series: lines,
    }),
    chart({
      title: advantage
        ? "Advantage and relative gain of the splits"
        : "Relative gain of the splits",
      words: `The least relative gain is ${rounded(growth.least_relative_gain)}${advantage ? `, the least advantage ${rounded(growth.least_advantage)}` : ""}: what the claims start from.`,
      says: `${counted(growth.split[growth.split.length - 1], "split")}; least relative gain ${rounded(growth.least_relative_gain)}`,
      x: { label: "split", log: growth.split.length > 250 },
      y: { low: 0 },
      series: gains,
    }),
  ];
};

const certificateFigure = () => {
  const { certificate } = DATA;
  const rows = [
    ["criterion", certificate.criterion],
    ["leaves as grown", certificate.leaves.toLocaleString("en")],
    ["potential", rounded(certificate.potential, 6)],
    ["bound", rounded(certificate.bound, 6)],
    ["gamma", certificate.gamma === null ? "infinite" : rounded(certificate.gamma, 6)],
    [errorName(), rounded(certificate.error, 6)],
    ["holds", certificate.holds ? "yes" : "NO"],
    ...certificate.claims.map(([name, gamma, bound]) => [
      `claim ${name}`,
      `gamma ${rounded(gamma, 6)}, potential \u2264 ${rounded(bound, 6)}`,
    ]),
  ];
  if (certificate.pruned_leaves !== null)
    rows.push([
      "after pruning",
      `${counted(certificate.pruned_leaves, "leaf", "leaves")}, ${errorName()} ${rounded(certificate.pruned_error, 6)}`,
    ]);
  return figure(
    "Certificate",
    make(
      "p",
      {},
      "Growth recorded what each split achieved; from these numbers it follows that the potential of the tree as grown is at most the bound, and the training error at most half the potential.",
    ),
    table("Certificate of the tree as grown", ["fact", "value"], rows),
  );
};

const lastOf = (series) => `${series.name} ends at ${rounded(series.y[series.y.length - 1])}`;
const someKnown = (values) => values.some((value) => value !== null);
const roundAxis = () => ({ label: "round", log: DATA.rounds.round.length > 250 });
const treeErrors = () => ({
  name: "weighted error of the round's tree",
  x: DATA.rounds.round,
  y: DATA.rounds.error,
});
const errorsHere = () => ({
  name: `error on these ${counted(DATA.rounds.here_rows, "row")}`,
  x: DATA.rounds.here_round,
  y: DATA.rounds.here,
});

const roundErrors = () => (DATA.rounds.here ? [errorsHere(), treeErrors()] : [treeErrors()]);

const roundsSection = () => {
  const { rounds } = DATA,
    errors = roundErrors();
  return section(
    "rounds",
    "Rounds",
    rounds.stopped ? make("p", {}, `Training ended: ${rounds.stopped}.`) : null,
    chart({
      title: "Error, round by round",
      says: errors.map(lastOf).join("; "),
      words: rounds.here
        ? "Of all trees up to the round on these rows; and of the round's tree alone on the training rows, weighted by what is still mistaken."
        : "Of the round's tree alone on the training rows, weighted by what is still mistaken.",
      x: roundAxis(),
      y: { low: 0 },
      series: errors,
    }),
  );
};

const roundTheory = () => {
  const { rounds } = DATA,
    charts = [];
  if (someKnown(rounds.bound)) {
    const errors = [
      { name: "bound on the training error", x: rounds.round, y: rounds.bound },
      ...roundErrors(),
    ];
    charts.push(
      chart({
        title: "Error and bound, round by round",
        says: errors.map(lastOf).join("; "),
        words:
          "The bound is the product of the rounds' normalisers; the training error never exceeds it.",
        x: roundAxis(),
        y: { low: 0 },
        series: errors,
      }),
    );
  }
  if (someKnown(rounds.advantage)) {
    const series = [{ name: "advantage over guessing", x: rounds.round, y: rounds.advantage }];
    charts.push(
      chart({
        title: "Advantage of each round's tree",
        says: lastOf(series[0]),
        words: "Half minus the weighted error: what boosting turns into accuracy.",
        x: roundAxis(),
        y: { low: 0 },
        series,
      }),
    );
  }
  return charts;
};
