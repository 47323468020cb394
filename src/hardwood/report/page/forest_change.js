// The cheapest change of a row with which a boosted model says another class: best-first branch and
// bound over boxes of cells, as the core's explain/cheapest_change.hpp. It stops for the page every
// PAUSE milliseconds, so that the reader can go on.
const PAUSE = 40,
  MOST_WORDS = 1 << 23,
  STEPS_AT_FIRST = 300,
  ROUNDED_ALWAYS = 256,
  ROUNDED_EVERY = 16;

class Clock {
  constructor(seconds, cancelled) {
    this.until = performance.now() + 1000 * seconds;
    this.paused = performance.now();
    this.cancelled = cancelled;
  }

  get over() {
    return performance.now() >= this.until || this.cancelled();
  }

  async rest() {
    if (performance.now() - this.paused < PAUSE) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.paused = performance.now();
  }
}

class BoxSearch {
  constructor(forest, moves, target, below, clock) {
    this.forest = forest;
    this.cells = new RankedCells(forest, moves);
    this.box = new BoxBound(forest, this.cells, target);
    this.best = below;
    this.point = null;
    this.clock = clock;
    this.lookedAt = 0;
    this.held = 0;
    this.waiting = new Heap((a, b) => a.bound < b.bound || (a.bound === b.bound && a.number > b.number));
  }

  costOf(point) {
    return point.reduce((sum, rank, k) => sum + this.cells.costOf(k, rank), 0);
  }

  // The trees that gain most have the leaf of the bound's solution, as far as leaves agree.
  makeRow(bits) {
    const { conditionBegin, conditionColumn, columns } = this.forest,
      { box, cells } = this;
    const gains = Array.from({ length: box.trees }, (_, t) => box.more(t)),
      order = [...gains.keys()].sort((a, b) => gains[b] - gains[a] || a - b),
      kept = bits.slice();
    for (const t of order) {
      const leaf = box.leaf[box.pick[t]],
        own = [];
      for (let q = conditionBegin[leaf]; q < conditionBegin[leaf + 1]; q++) own.push(q);
      if (own.some((q) => cells.lowestWith(kept, conditionColumn[q], q) < 0)) continue;
      for (const q of own) cells.narrow(kept, conditionColumn[q], q, true);
    }
    const point = columns.map((_, k) => cells.lowest(kept, k));
    if (!(this.costOf(point) < 2 * this.best) || !box.answers(point)) return;
    this.improve(point);
    const cost = this.costOf(point);
    if (cost < this.best) [this.best, this.point] = [cost, point];
  }

  // Every column, the dearest first, goes back to its cheapest cell that still has the answer.
  improve(point) {
    const cost = (k) => this.cells.costOf(k, point[k]);
    for (const k of [...point.keys()].sort((a, b) => cost(b) - cost(a) || a - b)) {
      const rank = point[k];
      for (point[k] = 0; point[k] < rank && !this.box.answers(point); ) point[k]++;
    }
  }

  async boundOf(before) {
    let bound = before;
    this.box.setGains();
    const steps = this.lookedAt === 1 ? STEPS_AT_FIRST : 1;
    for (let i = 0; i <= steps && bound < Infinity; i++) {
      bound = Math.max(bound, this.box.bound());
      if (i < steps && bound < Infinity) this.box.moveShares();
      if (i) await this.clock.rest();
      if (this.clock.over) break;
    }
    return bound;
  }

  async add(bits, before) {
    this.lookedAt++;
    if (!this.box.reach(bits) || this.box.base >= this.best) return;
    if (this.box.answered()) {
      [this.best, this.point] = [this.box.base, [...this.box.nearest]];
      return;
    }
    const bound = await this.boundOf(before);
    if (bound >= this.best) return;
    const condition = this.box.dividingCondition();
    if (this.lookedAt <= ROUNDED_ALWAYS || this.lookedAt % ROUNDED_EVERY === 0) this.makeRow(bits);
    if (condition < 0) return;
    this.held += bits.length;
    this.waiting.push({ bits, bound, condition, number: this.lookedAt });
  }

  async run() {
    const { waiting, cells } = this;
    await this.add(cells.everything(), 0);
    while (waiting.items.length && waiting.items[0].bound < this.best && this.held <= MOST_WORDS) {
      if (this.clock.over) break;
      const { bits, bound, condition } = waiting.pop(),
        k = this.forest.conditionColumn[condition];
      this.held -= bits.length;
      for (const inside of [true, false]) {
        const half = bits.slice();
        cells.narrow(half, k, condition, inside);
        await this.add(half, bound);
      }
    }
    const complete = !waiting.items.length || waiting.items[0].bound >= this.best;
    return { complete, bound: complete ? this.best : waiting.items[0].bound };
  }
}

// {cells (by column; null if none was found), bound, complete} for the classes wanted.
const cheapestCells = async (forest, moves, targets, clock) => {
  let cells = null,
    best = Infinity,
    bound = Infinity,
    complete = true;
  for (const target of targets) {
    const search = new BoxSearch(forest, moves, target, best, clock),
      found = await search.run();
    complete &&= found.complete;
    bound = Math.min(bound, found.bound);
    if (!search.point) continue;
    best = search.best;
    cells = search.point.map((rank, k) => search.cells.cell[search.cells.begin[k] + rank]);
  }
  return { cells, bound: Math.min(bound, best), complete };
};
