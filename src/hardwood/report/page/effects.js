// How columns move the answer: partial dependence.
// All charts have one scale, so that steep ones are those that matter.
const effectFigure = (effect, low, high) => {
  const several = MODEL.classes.length > 2;
  const title = `Effect of ${clipped(effect.column)}`;
  const names = effect.classes.map((place) => clipped(MODEL.classes[place]));
  if (!effect.places) {
    const lists = effect.classes.map((place, at) => [
      several ? make("h4", {}, nameOf(MODEL.classes[place])) : null,
      shareList(
        effect.mean[at],
        effect.values,
        (value) => percent(effect.mean[at][value]),
        () => colourOf(place),
      ),
    ]);
    return figure(
      title,
      make("p", {}, `Mean probability of ${several ? "a class" : names[0]} by category.`),
      ...lists,
    );
  }
  const spread = (values) => `${percent(Math.min(...values))} to ${percent(Math.max(...values))}`;
  return chart({
    title,
    says: names.map((name, at) => `${name} from ${spread(effect.mean[at])}`).join("; "),
    x: { label: clipped(effect.column) },
    y: {
      low,
      high,
      label: several ? "mean probability" : `mean probability of ${names[0]}`,
    },
    series: effect.classes.map((place, at) => ({
      name: names[at],
      colour: colourOf(place),
      x: effect.places,
      y: effect.mean[at],
    })),
  });
};

const effectsSection = () => {
  const { effects } = DATA;
  if (!effects?.length) return null;
  const all = effects.flatMap((effect) => effect.mean.flat()),
    low = Math.max(0, Math.min(...all) - 0.02),
    high = Math.min(1, Math.max(...all) + 0.02);
  return section(
    "effects",
    "How columns move the answer",
    make(
      "p",
      {},
      `The mean probability when every row gets the same value of the column and keeps its others (partial dependence, ${counted(effects[0].rows, "row")}). Where columns go together, some of these rows do not exist.`,
    ),
    make(
      "div",
      { class: "pair small" },
      effects.map((effect) => effectFigure(effect, low, high)),
    ),
  );
};
