// The size of the drawn tree: it fits the width until the reader chooses otherwise.
const LEAST_FIT = 0.6,
  NEVER_FIT = 150, // open splits; to measure so many takes long
  ZOOM_STEP = 1.2,
  ZOOM_ENDS = [0.25, 3];

class TreeZoom {
  constructor(view, panel) {
    this.view = view;
    this.panel = panel;
    this.scale = 1;
    this.fitted = true;
    this.told = make("span", { class: "found zoom", "aria-live": "polite" });
    panel.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    new ResizeObserver(() => {
      if (this.fitted && panel.clientWidth !== this.width) this.fit();
    }).observe(panel);
  }

  set(scale) {
    this.scale = Math.min(Math.max(scale, ZOOM_ENDS[0]), ZOOM_ENDS[1]);
    this.view.list.style.setProperty("zoom", this.scale.toFixed(4));
    this.told.textContent = `${Math.round(100 * this.scale)}%`;
  }

  // What is at (x, y) of the panel stays there.
  around(scale, x, y) {
    const { scrollLeft, scrollTop } = this.panel,
      before = this.scale;
    this.fitted = false;
    this.set(scale);
    this.panel.scrollLeft = ((scrollLeft + x) * this.scale) / before - x;
    this.panel.scrollTop = ((scrollTop + y) * this.scale) / before - y;
  }

  by(factor) {
    this.around(this.scale * factor, this.panel.clientWidth / 2, this.panel.clientHeight / 2);
  }

  // As wide as the panel, but never too small to read, and never larger than life.
  fit() {
    const { list } = this.view;
    if (!list?.isConnected) return;
    this.fitted = true;
    const outline = this.panel.classList.contains("outline");
    this.set(outline || this.view.open.size <= NEVER_FIT ? 1 : LEAST_FIT);
    this.width = this.panel.clientWidth; // asks the browser to lay it out, so not before
    if (outline || this.scale < 1) return;
    const style = getComputedStyle(this.panel),
      room = this.width - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const needed = list.scrollWidth;
    if (needed > room) this.set(Math.max(Math.floor((1000 * room) / needed) / 1000, LEAST_FIT));
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const panel = this.panel.getBoundingClientRect();
    this.around(
      this.scale * ZOOM_STEP ** (event.deltaY < 0 ? 1 : -1),
      event.clientX - panel.left,
      event.clientY - panel.top,
    );
  }

  tools() {
    const button = (words, name, click) =>
      make("button", { type: "button", "aria-label": name, title: name, click }, words);
    return [
      button("\u2212", "Zoom out", () => this.by(1 / ZOOM_STEP)),
      button("+", "Zoom in", () => this.by(ZOOM_STEP)),
      button("Fit", "Fit the tree to the width", () => {
        this.fit();
        this.view.centre(0);
      }),
      this.told,
    ];
  }
}
