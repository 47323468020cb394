// What the points of a box cost at least, if they are to have an answer: the Lagrangian bound of
// the core's explain/box_bound.hpp, which has the formula. A column's cost is shared out among the
// trees that ask about it; any shares give a true bound, and they are moved towards better ones.
const CROSSINGS = 12,
  SLOWING = 0.995,
  LEAST_STEP = 0.02,
  LEAST_SHARE = 1e-7;

const fewest = (extra, gain, i, best) =>
  extra[i] !== extra[best] ? extra[i] < extra[best] : gain[i] > gain[best];
const mostGain = (extra, gain, i, best) =>
  gain[i] !== gain[best] ? gain[i] > gain[best] : extra[i] < extra[best];

class BoxBound {
  constructor(forest, cells, target) {
    Object.assign(this, { forest, cells, target, step: 1 });
    const leaves = forest.addend.length,
      conditions = forest.conditionColumn.length;
    this.trees = forest.treeBegin.length - 1;
    this.leaf = new Int32Array(leaves); // of the leaves reached, tree after tree
    this.at = new Int32Array(leaves); // their conditions in `beyond`
    this.extra = new Float64Array(leaves);
    this.gain = new Float64Array(leaves);
    this.beyond = new Float64Array(conditions);
    this.reachedBegin = new Int32Array(this.trees + 1);
    this.here = new Int32Array(this.trees); // the nearest point's leaf
    this.pick = new Int32Array(this.trees);
    this.nearest = new Int32Array(forest.columns.length);
    this.share();
  }

  // At first in proportion to how far the leaves of a tree differ.
  share() {
    const { treeBegin, conditionBegin, conditionColumn, addend, columns } = this.forest;
    this.slot = new Int32Array(conditionColumn.length); // a condition's tree and column
    this.slotColumn = [];
    this.shares = [];
    const latest = new Int32Array(columns.length).fill(-1);
    for (let t = 0; t < this.trees; t++) {
      const first = this.slotColumn.length,
        own = addend.slice(treeBegin[t], treeBegin[t + 1]);
      const most = Math.max(...own),
        spread = most - Math.min(...own) + Math.abs(most) * 1e-3 + 1e-300;
      for (let q = conditionBegin[treeBegin[t]]; q < conditionBegin[treeBegin[t + 1]]; q++) {
        const k = conditionColumn[q];
        if (latest[k] < first) {
          latest[k] = this.slotColumn.push(k) - 1;
          this.shares.push(spread);
        }
        this.slot[q] = latest[k];
      }
    }
    this.evenOut();
  }

  evenOut() {
    const whole = new Float64Array(this.forest.columns.length);
    this.shares.forEach((share, s) => (whole[this.slotColumn[s]] += share));
    this.shares.forEach((share, s) => (this.shares[s] = share / whole[this.slotColumn[s]]));
  }

  // Finds the nearest point and the leaves that the box's points reach; false: the box is empty.
  reach(box) {
    const { treeBegin, conditionBegin, conditionColumn, columns } = this.forest,
      { cells, nearest } = this;
    this.base = 0;
    for (let k = 0; k < columns.length; k++) {
      nearest[k] = cells.lowest(box, k);
      if (nearest[k] < 0) return false;
      this.base += cells.costOf(k, nearest[k]);
    }
    let reached = 0,
      used = 0;
    for (let t = 0; t < this.trees; t++) {
      for (let l = treeBegin[t]; l < treeBegin[t + 1]; l++) {
        const begin = used;
        let inside = true,
          here = true;
        for (let q = conditionBegin[l]; inside && q < conditionBegin[l + 1]; q++) {
          const k = conditionColumn[q],
            rank = cells.lowestWith(box, k, q);
          inside = rank >= 0;
          here &&= rank === nearest[k];
          this.beyond[used++] = inside ? cells.costOf(k, rank) - cells.costOf(k, nearest[k]) : 0;
        }
        if (!inside) {
          used = begin;
          continue;
        }
        if (here) this.here[t] = reached;
        this.leaf[reached] = l;
        this.at[reached++] = begin;
      }
      this.reachedBegin[t + 1] = reached;
    }
    this.reached = reached;
    return true;
  }

  // Whether the nearest point has the answer; its scores are kept.
  answered() {
    const { place, addend } = this.forest;
    this.scores = new Array(MODEL.outputs).fill(0);
    for (const at of this.here) this.scores[place[this.leaf[at]]] += addend[this.leaf[at]];
    return linked(this.scores).label === this.target;
  }

  answers(point) {
    const { treeBegin, conditionBegin, conditionColumn, place, addend } = this.forest,
      scores = new Array(MODEL.outputs).fill(0);
    for (let t = 0; t < this.trees; t++) {
      for (let l = treeBegin[t]; l < treeBegin[t + 1]; l++) {
        let q = conditionBegin[l];
        while (q < conditionBegin[l + 1] && this.cells.has(q, point[conditionColumn[q]])) q++;
        if (q < conditionBegin[l + 1]) continue;
        scores[place[l]] += addend[l];
        break;
      }
    }
    return linked(scores).label === this.target;
  }

  // Gains of the wanted class over the one that leads most at the nearest point.
  setGains() {
    const { place, addend } = this.forest,
      { scores, target } = this;
    const sign = target ? 1 : -1;
    let rival = target ? 0 : 1;
    scores.forEach((score, k) => {
      if (k !== target && score > scores[rival]) rival = k;
    });
    const weight = scores.map((_, k) => (k === target ? 1 : k === rival ? -1 : 0));
    if (scores.length === 1) weight[0] = sign;
    this.constant = scores.length === 1 ? -sign * MODEL.cut + 1e-9 * Math.abs(MODEL.cut) : 0;
    for (let i = 0; i < this.reached; i++) {
      this.gain[i] = weight[place[this.leaf[i]]] * addend[this.leaf[i]];
    }
  }

  setExtras() {
    const { conditionBegin } = this.forest;
    for (let i = 0; i < this.reached; i++) {
      const begin = conditionBegin[this.leaf[i]],
        end = conditionBegin[this.leaf[i] + 1];
      let extra = 0;
      for (let q = begin; q < end; q++) {
        extra += this.shares[this.slot[q]] * this.beyond[this.at[i] + q - begin];
      }
      this.extra[i] = extra;
    }
  }

  choose(better, m) {
    const { reachedBegin, extra, gain } = this,
      line = { extra: 0, gain: 0 };
    for (let t = 0; t < this.trees; t++) {
      let pick = reachedBegin[t];
      for (let i = pick + 1; i < reachedBegin[t + 1]; i++) {
        if (better(extra, gain, i, pick, m)) pick = i;
      }
      this.pick[t] = pick;
      line.extra += extra[pick];
      line.gain += gain[pick];
    }
    return line;
  }

  // The bound of the box that was reached last; infinite: no point of it can have the answer.
  bound() {
    this.setExtras();
    let many = this.choose(mostGain),
      most = 0,
      slack = this.constant;
    for (const pick of this.pick) slack += Math.abs(this.gain[pick]) * 1e-9;
    if (many.gain + slack < 0) return Infinity;
    let few = this.choose(fewest);
    const cheaper = (extra, gain, i, best, m) => {
      const x = extra[i] - m * gain[i],
        y = extra[best] - m * gain[best];
      return x !== y ? x < y : gain[i] > gain[best];
    };
    for (let i = 0; i < CROSSINGS && few.gain + slack < 0; i++) {
      const m = (many.extra - few.extra) / (many.gain - few.gain),
        line = this.choose(cheaper, m);
      most = Math.max(most, line.extra - m * (line.gain + slack));
      if (line.gain === many.gain || line.gain === few.gain) break;
      if (line.gain + slack >= 0) many = line;
      else few = line;
    }
    return this.base + most * (1 - 1e-12);
  }

  moveShares() {
    const { conditionBegin, conditionColumn, columns } = this.forest,
      largest = new Float64Array(columns.length),
      moved = new Float64Array(this.shares.length);
    for (const pick of this.pick) {
      const begin = conditionBegin[this.leaf[pick]],
        end = conditionBegin[this.leaf[pick] + 1];
      for (let q = begin; q < end; q++) {
        const beyond = this.beyond[this.at[pick] + q - begin],
          k = conditionColumn[q];
        moved[this.slot[q]] = beyond;
        if (beyond > largest[k]) largest[k] = beyond;
      }
    }
    this.shares.forEach((share, s) => {
      const most = largest[this.slotColumn[s]];
      if (most > 0) this.shares[s] = Math.max(share * 2 ** ((this.step * moved[s]) / most), LEAST_SHARE);
    });
    this.evenOut();
    this.step = Math.max(this.step * SLOWING, LEAST_STEP);
  }

  more(t) {
    return this.gain[this.pick[t]] - this.gain[this.here[t]];
  }

  // Of the column for which most gain speaks: a condition that the nearest point does not meet.
  dividingCondition() {
    const columns = this.forest.columns.length,
      votes = new Float64Array(columns),
      chosen = new Array(columns).fill(null);
    for (let t = 0; t < this.trees; t++) this.vote(t, this.pick[t], votes, chosen);
    if (!votes.some((each) => each > 0)) {
      for (let t = 0; t < this.trees; t++) {
        for (let i = this.reachedBegin[t]; i < this.reachedBegin[t + 1]; i++) {
          this.vote(t, i, votes, chosen);
        }
      }
    }
    const most = largest(votes);
    return votes[most] > 0 ? chosen[most].q : -1;
  }

  vote(t, i, votes, chosen) {
    const { conditionBegin, conditionColumn } = this.forest,
      gained = this.gain[i] - this.gain[this.here[t]];
    if (!(gained > 0)) return;
    for (let q = conditionBegin[this.leaf[i]]; q < conditionBegin[this.leaf[i] + 1]; q++) {
      const k = conditionColumn[q];
      if (this.cells.has(q, this.nearest[k])) continue;
      votes[k] += gained;
      if (!chosen[k] || gained > chosen[k].gained) chosen[k] = { q, gained };
    }
  }
}
