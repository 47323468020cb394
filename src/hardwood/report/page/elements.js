// Elements are made here and nowhere else. Text from the data becomes text nodes and attribute
// values only, never markup; names stand in <bdi>, so that right-to-left text keeps to itself.
const SVG = "http://www.w3.org/2000/svg";
const LONGEST_NAME = 40;

const fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else if (name === "style") {
      for (const [property, size] of Object.entries(value)) {
        element.style.setProperty(property, size);
      }
    } else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== ""));
  return element;
};
const make = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

const clipped = (text, longest = LONGEST_NAME) => {
  if (text.length <= longest) return text;
  const signs = Array.from(text); // whole characters, not halves of an emoji
  return signs.length <= longest ? text : signs.slice(0, longest - 1).join("") + "\u2026";
};
// Names break after _ . / and the like and before a capital, never inside a word.
const wordParts = (text) =>
  text
    .split(/(?<=[_./:|&,;-])(?=[^\s_./:|&,;-])|(?<=[a-z\d])(?=[A-Z][a-z])/)
    .flatMap((part, place) => (place ? [make("wbr"), part] : [part]));
const nameOf = (text, longest = LONGEST_NAME) => {
  const short = clipped(text, longest);
  return make("bdi", { class: "name", title: short === text ? null : text }, wordParts(short));
};

const section = (id, title, ...children) =>
  make(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    make("h2", { id: `${id}-title` }, title),
    ...children,
  );
const figure = (title, ...children) =>
  make(
    "div",
    { class: "figure", role: "group", "aria-label": title },
    make("h3", {}, title),
    ...children,
  );

// A table that scrolls by itself on a narrow screen, so it must be reachable by keyboard.
const table = (caption, head, rows, attributes = {}) =>
  make(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    make(
      "table",
      attributes,
      make("caption", {}, caption),
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          head.map((cell) => make("th", { scope: "col" }, cell)),
        ),
      ),
      make(
        "tbody",
        {},
        rows.map((row) =>
          make(
            "tr",
            {},
            row.map((cell, place) =>
              place ? make("td", {}, cell) : make("th", { scope: "row" }, cell),
            ),
          ),
        ),
      ),
    ),
  );

// The palette, then the same colours darker, then paler, as the plots have them.
const SHADES = [
  [0, 0],
  [0, 0.5],
  [255, 0.55],
];
const DARK = window.matchMedia("(prefers-color-scheme: dark)").matches;
// WCAG's relative luminance: 1 is white.
const luminance = (rgb) =>
  rgb
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
// Bright enough for 3:1 on a dark card; on a white one lines and bars must not be pale.
const LEAST_ON_DARK = 0.16,
  MOST_ON_LIGHT = 0.55;
const colourOf = (place) => {
  const colour = DATA.palette[place % DATA.palette.length],
    [towards, part] = SHADES[Math.floor(place / DATA.palette.length) % SHADES.length];
  const mixed = (rgb, goal, share) =>
    rgb.map((sign) => Math.round(share * goal + (1 - share) * sign));
  let rgb = mixed(
    [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)),
    towards,
    part,
  );
  while (DARK && luminance(rgb) < LEAST_ON_DARK) rgb = mixed(rgb, 255, 0.1);
  while (!DARK && luminance(rgb) > MOST_ON_LIGHT) rgb = mixed(rgb, 0, 0.1);
  return `rgb(${rgb.join(" ")})`;
};
const counted = (count, one, many = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
