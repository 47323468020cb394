// Class shares as one bar; the words beside it carry the meaning, so it is hidden from readers.
const shareBar = (shares, colours) =>
  make(
    "span",
    { class: "bar", "aria-hidden": "true" },
    shares.map((share, place) =>
      share > 0
        ? make("span", { style: { flex: `${share} 0 0`, background: colours(place) } })
        : null,
    ),
  );

const shareList = (shares, names, words, colours = colourOf) => {
  const order = shares
    .map((_, place) => place)
    .sort((a, b) => shares[b] - shares[a] || a - b)
    .slice(0, 12);
  return make(
    "ul",
    { class: "shares" },
    order.map((place) =>
      make(
        "li",
        {},
        make("span", {
          class: "swatch",
          "aria-hidden": "true",
          style: { background: colours(place) },
        }),
        nameOf(names[place], 28),
        make("span", { class: "amount" }, words(place)),
        make(
          "span",
          { class: "track", "aria-hidden": "true" },
          make("span", { style: { width: `${100 * shares[place]}%`, background: colours(place) } }),
        ),
      ),
    ),
    shares.length > order.length
      ? make("li", { class: "quiet" }, `and ${shares.length - order.length} more`)
      : null,
  );
};
