// For those who want the theory: potentials, advantages, bounds, the certificate. Closed at first;
// charts draw themselves when they get a width.
const theorySection = () => {
  const parts = [
    ...(DATA.growth ? growthFigures() : []),
    ...(DATA.rounds ? roundTheory() : []),
    DATA.certificate ? certificateFigure() : null,
  ].filter(Boolean);
  if (!parts.length) return null;
  return section(
    "theory",
    "Theory",
    make(
      "p",
      {},
      "What the papers prove about this model. It speaks of the training rows and of the model as it was grown, not of new rows: errors on new rows are above.",
    ),
    make(
      "details",
      { class: "theory" },
      make(
        "summary",
        {},
        DATA.certificate
          ? "Potential, advantage, certificate"
          : "Bound and advantage of the rounds",
      ),
      make("div", { class: "pair" }, parts),
    ),
  );
};
