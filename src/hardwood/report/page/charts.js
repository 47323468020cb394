// Small charts in SVG, drawn at the width they have and again when that changes. Lines differ in
// dash and colour; every chart has its numbers as a table behind a summary.
const DASHES = ["", "7 4", "2 3", "9 3 2 3", "4 2", "1 4"];
const MARGIN = { left: 56, right: 14, top: 10, bottom: 40 };

const niceSteps = (low, high, count) => {
  const raw = (high - low) / count || 1,
    power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].find((each) => each * power >= raw) * power;
  const ticks = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) ticks.push(at);
  return ticks.map((tick) => Number(tick.toPrecision(12)));
};
const powersOfTen = (low, high) => {
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const part of [1, 2, 5]) ticks.push(part * 10 ** power);
  }
  const inside = ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
  return inside.length > 7 ? inside.filter((tick) => /^1e/.test(tick.toExponential())) : inside;
};

const logOdds = (share) => Math.log(share / (1 - share));
const SHARES = [
  1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999,
];

// An axis may have `low` and `high`, and be of logarithms (`log`) or log odds (`logit`).
const scaleFor = (axis, values, from, to) => {
  let low = axis.low ?? Math.min(...values),
    high = axis.high ?? Math.max(...values);
  if (axis.log) low = Math.min(...values.filter((value) => value > 0));
  if (!(high > low)) high = low + (Math.abs(low) || 1);
  const turn = axis.log ? Math.log : axis.logit ? logOdds : (value) => value;
  const place = (value) =>
    from + ((turn(value) - turn(low)) / (turn(high) - turn(low))) * (to - from);
  if (axis.logit) return { place, ticks: SHARES.filter((tick) => tick >= low && tick <= high) };
  const ticks = axis.log
    ? powersOfTen(low, high)
    : niceSteps(low, high, Math.abs(to - from) > 350 ? 6 : 4);
  return { place, ticks };
};

const axes = (spec, across, up, width, height) => {
  const bottom = height - MARGIN.bottom,
    parts = [];
  for (const tick of up.ticks) {
    const y = up.place(tick);
    parts.push(
      draw("line", { class: "grid", x1: MARGIN.left, x2: width - MARGIN.right, y1: y, y2: y }),
      draw("text", { x: MARGIN.left - 6, y: y + 4, "text-anchor": "end" }, rounded(tick, 3)),
    );
  }
  for (const tick of across.ticks) {
    const x = across.place(tick);
    parts.push(
      draw("line", { class: "grid", x1: x, x2: x, y1: bottom, y2: bottom + 4 }),
      draw("text", { x, y: bottom + 17, "text-anchor": "middle" }, rounded(tick, 3)),
    );
  }
  parts.push(
    draw(
      "text",
      { x: (MARGIN.left + width - MARGIN.right) / 2, y: height - 6, "text-anchor": "middle" },
      spec.x.label,
    ),
    spec.y.label ? draw("text", { x: 4, y: 12 }, spec.y.label) : "",
  );
  return parts;
};

const shapes = (series, place, across, up) => {
  const drawn = [],
    colour = series.colour ?? colourOf(place);
  const spots = series.x
    .map((x, at) => [x, series.y[at]])
    .filter(([x, y]) => x !== null && y !== null)
    .map(([x, y]) => [across.place(x), up.place(y)])
    .filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
  if (!series.points && spots.length) {
    const way = spots
      .map(([x, y]) => [x.toFixed(1), y.toFixed(1)])
      .map(([x, y], at) => (at && series.step ? `H${x}V${y}` : `${at ? "L" : "M"}${x} ${y}`))
      .join("");
    drawn.push(
      draw("path", {
        d: way,
        class: "line",
        stroke: colour,
        "stroke-dasharray": DASHES[place % DASHES.length],
      }),
    );
  }
  if (series.points || spots.length < 3) {
    for (const [x, y] of spots)
      drawn.push(
        draw("circle", { cx: x, cy: y, r: series.radius ?? 3, fill: colour, class: "dot" }),
      );
  }
  for (const [x, low, high] of series.spans ?? []) {
    drawn.push(
      draw("line", {
        x1: across.place(x),
        x2: across.place(x),
        y1: up.place(low),
        y2: up.place(high),
        stroke: colour,
        class: "span",
      }),
    );
  }
  return drawn;
};

const legend = (spec) =>
  make(
    "ul",
    { class: "legend" },
    spec.series.map((series, place) =>
      make(
        "li",
        {},
        draw(
          "svg",
          { width: 28, height: 10, "aria-hidden": "true" },
          series.points
            ? draw("circle", {
                cx: 14,
                cy: 5,
                r: 4,
                fill: series.colour ?? colourOf(place),
                class: "dot",
              })
            : draw("line", {
                x1: 0,
                x2: 28,
                y1: 5,
                y2: 5,
                class: "line",
                stroke: series.colour ?? colourOf(place),
                "stroke-dasharray": DASHES[place % DASHES.length],
              }),
        ),
        series.name,
      ),
    ),
  );

// `current` gives the spec as it is drawn when the numbers are opened.
const numbersOf = (current) => {
  const holder = make(
    "details",
    {
      toggle: () => {
        const spec = current();
        holder.querySelector(".scroll")?.remove();
        if (!holder.open) return;
        const rows = spec.series.flatMap((series) =>
          series.x.map((x, at) => [series.name, rounded(x, 6), rounded(series.y[at], 6)]),
        );
        holder.append(table(`${spec.title}: numbers`, ["line", spec.x.label, "value"], rows));
      },
    },
    make("summary", {}, "Numbers"),
  );
  return holder;
};

// The values under the pointer, in words below the chart.
const readOut = (spec, across) => (event) => {
  const svg = event.currentTarget,
    at = event.clientX - svg.getBoundingClientRect().left;
  const near = spec.series.map((series) => {
    const far = series.x.map((x) => Math.abs(across.place(x) - at));
    const best = far.indexOf(Math.min(...far));
    return [series.name, series.x[best], series.y[best]];
  });
  const words = near
    .filter(([, , y]) => y !== null && y !== undefined)
    .map(([name, , y]) => `${name} ${rounded(y)}`);
  svg.nextSibling.textContent = `${spec.x.label} ${rounded(near[0][1])}: ${words.join(", ")}`;
};

const levelLine = (across, up, ends) =>
  draw("line", {
    class: "diagonal",
    x1: across.place(ends[0]),
    y1: up.place(ends[1]),
    x2: across.place(ends[2]),
    y2: up.place(ends[3]),
  });

// A chart of `spec`: title, words, says (for those who do not see it), x, y and series; `diagonal` and
// `level` are lines to compare with. `redraw(spec)` of the element draws another one in its place.
const chart = (first) => {
  let spec = first;
  const holder = make("div", { class: "chart" }),
    words = make("p", {}, spec.words ?? "");
  let drawnAt = 0;
  const show = () => {
    const width = Math.round(holder.clientWidth),
      height = Math.min(300, Math.max(200, width * 0.55));
    if (!width || width === drawnAt) return;
    drawnAt = width;
    const xs = spec.series.flatMap((series) => series.x).filter((x) => x !== null);
    const ys = spec.series.flatMap((series) => series.y).filter((y) => y !== null);
    const across = scaleFor(spec.x, xs, MARGIN.left, width - MARGIN.right);
    const top = MARGIN.top + (spec.y.label ? 14 : 0);
    const up = scaleFor(spec.y, ys, height - MARGIN.bottom, top);
    const low = spec.x.low ?? 0,
      high = spec.x.high ?? 1;
    const svg = draw(
      "svg",
      {
        width,
        height,
        role: "img",
        "aria-label": `${spec.title}. ${spec.says}`,
        pointermove: readOut(spec, across),
      },
      axes(spec, across, up, width, height),
      spec.diagonal ? levelLine(across, up, [low, low, high, high]) : null,
      spec.level === undefined ? null : levelLine(across, up, [low, spec.level, high, spec.level]),
      spec.series.map((series, place) => shapes(series, place, across, up)),
    );
    holder.replaceChildren(svg, make("p", { class: "readout", "aria-hidden": "true" }, "\u00a0"));
  };
  new ResizeObserver(show).observe(holder);
  const shown = figure(
    spec.title,
    spec.words ? words : null,
    holder,
    spec.series.length > 1 ? legend(spec) : null,
    numbersOf(() => spec),
  );
  shown.redraw = (next) => {
    spec = next;
    words.textContent = spec.words ?? "";
    drawnAt = 0;
    show();
  };
  return shown;
};
