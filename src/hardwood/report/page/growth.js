// Potential, advantage and bounds of a tree; errors and bound of a boosted model's rounds.
const growthSection = () => {
  const { growth } = DATA,
    end = growth.leaves.length - 1;
  const lines = [
    { name: "potential", x: growth.leaves, y: growth.potential },
    { name: "bound of the certificate", x: growth.leaves, y: growth.bound },
    { name: "training error", x: growth.leaves, y: growth.error },
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
  return section(
    "growth",
    "How it grew",
    make(
      "div",
      { class: "pair" },
      chart({
        title: "Potential and its bounds",
        words:
          "Every split lowers the potential. The certificate bounds it at every size, and the training error is at most half of it.",
        says: `With ${growth.leaves[end]} leaves the potential is ${rounded(growth.potential[end])}, the bound ${rounded(growth.bound[end])}, the training error ${rounded(growth.error[end])}`,
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
    ),
  );
};

const certificateSection = () => {
  const { certificate } = DATA;
  const rows = [
    ["criterion", certificate.criterion],
    ["leaves as grown", certificate.leaves.toLocaleString("en")],
    ["potential", rounded(certificate.potential, 6)],
    ["bound", rounded(certificate.bound, 6)],
    ["gamma", certificate.gamma === null ? "infinite" : rounded(certificate.gamma, 6)],
    ["training error", rounded(certificate.error, 6)],
    ["holds", certificate.holds ? "yes" : "NO"],
    ...certificate.claims.map(([name, gamma, bound]) => [
      `claim ${name}`,
      `gamma ${rounded(gamma, 6)}, potential \u2264 ${rounded(bound, 6)}`,
    ]),
  ];
  if (certificate.pruned_leaves !== null)
    rows.push([
      "after pruning",
      `${counted(certificate.pruned_leaves, "leaf", "leaves")}, training error ${rounded(certificate.pruned_error, 6)}`,
    ]);
  return section(
    "certificate",
    "Certificate",
    make(
      "p",
      {},
      "Growth recorded what each split achieved; from these numbers it follows that the potential of the tree as grown is at most the bound, and the training error at most half the potential.",
    ),
    table("Certificate of the tree as grown", ["fact", "value"], rows),
  );
};

const roundsSection = () => {
  const { rounds } = DATA,
    known = (values) => values.some((value) => value !== null);
  const errors = [{ name: "weighted error of the round's tree", x: rounds.round, y: rounds.error }];
  if (known(rounds.bound))
    errors.push({ name: "bound on the training error", x: rounds.round, y: rounds.bound });
  if (rounds.here)
    errors.push({
      name: `error on these ${counted(rounds.here_rows, "row")}`,
      x: rounds.here_round,
      y: rounds.here,
    });
  const last = (series) => `${series.name} ends at ${rounded(series.y[series.y.length - 1])}`;
  const charts = [
    chart({
      title: "Error and bound, round by round",
      says: errors.map(last).join("; "),
      words: known(rounds.bound)
        ? "The bound is the product of the rounds' normalisers; the training error never exceeds it."
        : "For more than two classes no bound is proved.",
      x: { label: "round", log: rounds.round.length > 250 },
      y: { low: 0 },
      series: errors,
    }),
  ];
  if (known(rounds.advantage)) {
    const series = [{ name: "advantage over guessing", x: rounds.round, y: rounds.advantage }];
    charts.push(
      chart({
        title: "Advantage of each round's tree",
        says: last(series[0]),
        words: "Half minus the weighted error: what boosting turns into accuracy.",
        x: { label: "round", log: rounds.round.length > 250 },
        y: { low: 0 },
        series,
      }),
    );
  }
  return section(
    "rounds",
    "Rounds",
    rounds.stopped ? make("p", {}, `Training ended: ${rounds.stopped}.`) : null,
    make("div", { class: "pair" }, charts),
  );
};
