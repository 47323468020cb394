// The tree as a picture: nested lists with a card per node, drawn beside each other on wide screens
// and below each other on narrow ones. Elements of a subtree are made when it is first opened.
const OPEN_AT_START = 24,
  OPEN_AT_MOST = 1500;

class TreeView {
  constructor(holder, details) {
    this.holder = holder;
    this.details = details;
    this.onPath = new Set();
    this.zoom = new TreeZoom(this, holder);
    this.merged = false;
    this.pictures = false;
  }

  // A node that is drawn as a leaf: it is one, or all leaves below say the same and are drawn as one.
  ends(node) {
    return !this.tree.arity[node] || this.joins(node);
  }

  joins(node) {
    return this.merged && this.tree.arity[node] > 0 && this.tree.saidBelow[node] >= 0;
  }

  below(node) {
    return this.ends(node) ? [] : this.tree.children(node);
  }

  // The drawn node that stands for this one.
  drawn(node) {
    return this.tree.way(node).find((each) => this.ends(each)) ?? node;
  }

  show(tree) {
    this.tree = tree;
    this.items = new Map();
    this.open = new Set();
    this.built = new Set();
    this.hits = [];
    this.texts = null;
    this.total = tree.weightOf(0);
    const root = this.item(0, 1, 1);
    const deep = tree.depth.some((depth) => depth > 5);
    this.list = make(
      "ul",
      { role: "tree", "aria-label": "The tree", class: deep ? "tree deep" : "tree" },
      root,
    );
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("focusin", (event) => this.focused(event));
    this.list.addEventListener("pointermove", (event) => this.hovered(event));
    this.list.addEventListener("click", (event) => this.clicked(event));
    this.holder.replaceChildren(this.list);
    this.unfold(OPEN_AT_START);
    this.enter(0);
    this.describe(0);
    this.zoom.fit();
    this.centre(0);
  }

  item(node, place, size) {
    const split = !this.ends(node);
    const card = make(
      "div",
      { class: `card${split ? "" : " leaf"}` },
      make(
        "span",
        { class: "head" },
        split ? make("span", { class: "twisty", "aria-hidden": "true" }) : null,
        make("span", { class: "condition" }, partsShown(this.tree.told(node))),
      ),
      make("span", { class: "says" }, this.says(node)),
      shareBar(this.tree.rowSharesOf(node) ?? this.tree.sharesOf(node), coloursOf(this.tree)),
      this.pictures && split ? distributionPicture(this.tree, node, 132) : null,
    );
    const item = make(
      "li",
      {
        role: "treeitem",
        tabindex: -1,
        "data-node": node,
        "aria-label": this.spoken(node),
        "aria-level": this.tree.depth[node] + 1,
        "aria-posinset": place,
        "aria-setsize": size,
        "aria-expanded": split ? "false" : null,
        "aria-selected": "false",
        class: this.onPath.has(node) ? "on-path" : null,
        style: { "--flow": (this.tree.weightOf(node) / this.total).toFixed(4) },
      },
      card,
    );
    this.items.set(node, item);
    return item;
  }

  says(node) {
    const { tree } = this;
    if (this.joins(node)) return joinedSays(tree, node);
    if (tree.arity[node]) return counted(tree.rows[node], "row");
    if (MODEL.kind === "boosted") {
      return [make("b", {}, signed(tree.add[node])), " for ", nameOf(scoredClass(tree, node), 24)];
    }
    const label = tree.labelOf(node);
    return [
      make("b", {}, nameOf(MODEL.classes[label], 24)),
      ` ${tree.saidShare(node, tree.rows[node].toLocaleString("en"))}`,
    ];
  }

  spoken(node) {
    const { tree } = this,
      text = partsShort(tree.told(node));
    if (this.joins(node)) return `${text}: ${joinedText(tree, node)}`;
    if (tree.arity[node]) return `${text}, ${counted(tree.rows[node], "row")}`;
    if (MODEL.kind === "boosted") {
      return `${text}: ${signed(tree.add[node])} for ${clipped(scoredClass(tree, node))}`;
    }
    const said = tree.saidShare(node, counted(tree.rows[node], "row"));
    return `${text}: ${clipped(MODEL.classes[tree.labelOf(node)])}, ${said}`;
  }

  setOpen(node, open) {
    const item = this.items.get(node);
    if (!item || this.ends(node)) return;
    if (open && !this.built.has(node)) {
      const children = this.below(node);
      item.append(
        make(
          "ul",
          { role: "group" },
          children.map((child, place) => this.item(child, place + 1, children.length)),
        ),
      );
      this.built.add(node);
    }
    if (open) this.open.add(node);
    else this.open.delete(node);
    item.setAttribute("aria-expanded", String(open));
    if (item.lastChild.tagName === "UL") item.lastChild.hidden = !open;
  }

  // Open level by level while no more than `most` nodes are in sight, the first level in any case
  // that the page can bear; true if all are open.
  unfold(most) {
    let level = [0];
    let seen = 1;
    for (;;) {
      const below = level.flatMap((node) => this.below(node));
      if (!below.length) return true;
      seen += below.length;
      if (seen > (level[0] === 0 ? OPEN_AT_MOST : most)) return false;
      for (const node of level) this.setOpen(node, true);
      level = below;
    }
  }

  foldAll() {
    for (const node of [...this.open].filter((each) => each)) this.setOpen(node, false);
    this.focus(0, false);
    this.refit();
  }

  refit() {
    if (this.zoom.fitted) this.zoom.fit();
    this.centre(0);
  }

  reveal(node) {
    for (const each of this.tree.way(node).slice(0, -1)) this.setOpen(each, true);
  }

  enter(node) {
    this.list.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
    this.items.get(node).setAttribute("tabindex", "0");
  }

  focus(asked, scroll = true) {
    const node = this.drawn(asked);
    this.reveal(node);
    this.enter(node);
    const item = this.items.get(node);
    item.focus({ preventScroll: true });
    if (scroll) item.firstChild.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // Brings the card into the middle of the panel, which alone is scrolled.
  centre(node) {
    const card = this.items.get(node).firstChild.getBoundingClientRect();
    const panel = this.holder.getBoundingClientRect();
    this.holder.scrollTop += (card.top + card.bottom - panel.top - panel.bottom) / 2;
    // An outline is read from its left edge; a card far to the right is brought into sight.
    const outline = this.holder.classList.contains("outline");
    if (outline && node === 0) this.holder.scrollLeft = 0;
    else this.holder.scrollLeft += (card.left + card.right - panel.left - panel.right) / 2;
  }

  nodeOf(event) {
    const item = event.target.closest?.("[data-node]");
    return item ? Number(item.dataset.node) : null;
  }

  focused(event) {
    const node = this.nodeOf(event);
    this.list.querySelector('[aria-selected="true"]')?.setAttribute("aria-selected", "false");
    this.items.get(node).setAttribute("aria-selected", "true");
    this.describe(node);
  }

  // A card that slides under a resting pointer is not meant; only a pointer that moves is.
  hovered(event) {
    const place = `${event.screenX} ${event.screenY}`,
      node = this.nodeOf(event);
    const rests = place === this.pointer;
    this.pointer = place;
    if (!rests && event.target.closest(".card") && node !== this.described) this.describe(node);
  }

  clicked(event) {
    if (!event.target.closest(".card")) return;
    const node = this.nodeOf(event);
    this.setOpen(node, !this.open.has(node));
    this.focus(node, false);
  }

  inSight() {
    const seen = [],
      pending = [0];
    while (pending.length) {
      const node = pending.pop();
      seen.push(node);
      if (this.open.has(node)) pending.push(...this.below(node).reverse());
    }
    return seen;
  }

  key(event) {
    const node = this.nodeOf(event);
    if (node === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const { tree } = this,
      open = this.open.has(node);
    const step = (by) => {
      const seen = this.inSight(),
        at = seen.indexOf(node) + by;
      this.focus(seen[Math.min(Math.max(at, 0), seen.length - 1)]);
    };
    const acts = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      Home: () => this.focus(0),
      End: () => step(Infinity),
      ArrowRight: () => {
        if (!this.ends(node)) {
          if (open) this.focus(tree.first[node]);
          else this.setOpen(node, true);
        }
      },
      ArrowLeft: () => {
        if (open) this.setOpen(node, false);
        else if (node) this.focus(tree.parent[node]);
      },
      Enter: () => this.setOpen(node, !open),
      " ": () => this.setOpen(node, !open),
      "+": () => this.zoom.by(ZOOM_STEP),
      "=": () => this.zoom.by(ZOOM_STEP),
      "-": () => this.zoom.by(1 / ZOOM_STEP),
      0: () => this.zoom.fit(),
      "*": () => {
        for (const each of node ? tree.children(tree.parent[node]) : [0]) this.setOpen(each, true);
      },
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  // Nodes whose condition or class has the words in it, in reading order.
  search(words) {
    const wanted = words.trim().toLowerCase();
    for (const node of this.hits) this.items.get(node)?.classList.remove("hit");
    this.hits = [];
    if (!wanted) return;
    const { tree } = this,
      pending = [0];
    this.texts ??= Array.from({ length: tree.nodes }, (_, node) => this.searched(node));
    while (pending.length) {
      const node = pending.pop();
      if (this.texts[node].includes(wanted)) this.hits.push(node);
      pending.push(...this.below(node).reverse());
    }
    for (const node of this.hits) this.items.get(node)?.classList.add("hit");
  }

  searched(node) {
    const text = node ? partsText(conditionParts(this.tree.branchCondition(node))) : "all rows";
    const label = !this.ends(node)
      ? ""
      : MODEL.kind === "boosted"
        ? scoredClass(this.tree, node)
        : MODEL.classes[this.tree.labelOf(node)];
    return `#${node} ${text} ${label}`.toLowerCase();
  }

  showHit(place) {
    const node = this.hits[place];
    this.reveal(node);
    this.items.get(node).classList.add("hit");
    this.list.querySelector(".current")?.classList.remove("current");
    this.items.get(node).classList.add("current");
    this.centre(node);
    this.items.get(node).firstChild.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.enter(node);
    this.describe(node);
  }

  follow(nodes) {
    for (const node of this.onPath) this.items.get(node)?.classList.remove("on-path");
    this.onPath = new Set(nodes);
    for (const node of this.onPath) this.items.get(node)?.classList.add("on-path");
  }

  describe(node) {
    this.described = node;
    this.details.replaceChildren(...nodeDetails(this.tree, node, this.joins(node)));
  }
}
