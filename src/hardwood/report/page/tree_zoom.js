// The size of the drawn tree: it fits the width until the reader chooses otherwise.
const LEAST_FIT = 0.6,
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

  set(scale, x = this.panel.clientWidth / 2, y = this.panel.clientHeight / 2) {
    const next = Math.min(Math.max(scale, ZOOM_ENDS[0]), ZOOM_ENDS[1]),
      ratio = next / this.scale,
      { scrollLeft, scrollTop } = this.panel;
    this.scale = next;
    this.view.list.style.setProperty("zoom", next.toFixed(4));
    this.panel.scrollLeft = (scrollLeft + x) * ratio - x;
    this.panel.scrollTop = (scrollTop + y) * ratio - y;
    this.told.textContent = `${Math.round(100 * next)}%`;
  }

  by(factor) {
    this.fitted = false;
    this.set(this.scale * factor);
  }

  // As wide as the panel, but never too small to read, and never larger than life.
  fit() {
    const { list } = this.view;
    if (!list || !this.panel.clientWidth) return;
    this.fitted = true;
    this.width = this.panel.clientWidth;
    this.set(1);
    const style = getComputedStyle(this.panel),
      room = this.width - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const needed = this.panel.classList.contains("outline") ? 0 : list.scrollWidth;
    if (needed > room) this.set(Math.max(Math.floor((1000 * room) / needed) / 1000, LEAST_FIT));
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const panel = this.panel.getBoundingClientRect();
    this.fitted = false;
    this.set(
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
