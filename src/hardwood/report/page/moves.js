// What it costs to move a row's value in a column, and where it is moved to, as in the Python
// package's explain/moves.py, to the bit. `lower < x <= upper` are the ends; null is no end.
const STEP = 0.001;

// Correctly rounded, whatever the order (Shewchuk's partial sums).
const exactSum = (values) => {
  const parts = [];
  for (let x of values) {
    let kept = 0;
    for (let y of parts.slice()) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y,
        low = y - (high - x);
      if (low) parts[kept++] = low;
      x = high;
    }
    parts.length = kept;
    parts.push(x);
  }
  let at = parts.length - 1,
    sum = parts[at] ?? 0,
    low = 0;
  while (at > 0 && !low) {
    const x = sum,
      y = parts[--at];
    sum = x + y;
    low = y - (sum - x);
  }
  // What is left below may lift a half that was rounded to even.
  const lifted = at > 0 && Math.sign(low) === Math.sign(parts[at - 1]);
  if (lifted && sum + 2 * low - sum === 2 * low) sum += 2 * low;
  return sum;
};

// a - b as a number; whole ones are subtracted exactly.
const apart = (a, b) => {
  if (typeof a === typeof b) return Number(a - b);
  const whole = [a, b].every((each) => typeof each === "bigint" || Number.isInteger(each));
  return whole ? Number(BigInt(a) - BigInt(b)) : Number(a) - Number(b);
};
const floorOf = (end) => (typeof end === "bigint" ? end : Math.floor(end));
const nextWhole = (end) => (typeof end === "bigint" ? end + 1n : Math.floor(end) + 1);

const BITS = new DataView(new ArrayBuffer(8));
const nextUp = (x) => {
  BITS.setFloat64(0, x + 0);
  if (x === 0) BITS.setBigInt64(0, 1n);
  else BITS.setBigInt64(0, BITS.getBigInt64(0) + (x > 0 ? 1n : -1n));
  return BITS.getFloat64(0);
};
// The smallest multiple of 10^place that is not below x.
const raisedTo = (x, place) => {
  BITS.setFloat64(0, Math.abs(x));
  const bits = BITS.getBigInt64(0),
    power = bits >> 52n;
  let above = (bits & 0xfffffffffffffn) | (power ? 1n << 52n : 0n),
    below = 1n;
  const shift = (power || 1n) - 1075n;
  if (shift > 0n) above <<= shift;
  else below <<= -shift;
  if (place > 0) below *= 10n ** BigInt(place);
  else above *= 10n ** BigInt(-place);
  if (x < 0) return Number(`-${above / below}e${place}`);
  return Number(`${(above + below - 1n) / below}e${place}`);
};
const exponentOf = (x) => Number(x.toExponential(40).split("e")[1]);

// A number in (cut, cut + step], not above the limit: a multiple of the largest power of ten.
const justAbove = (cut, limit, step) => {
  const least = nextUp(cut),
    most = Math.max(least, Math.min(limit, cut + step));
  const last = exponentOf(least) - 17;
  for (let place = Math.max(exponentOf(least), exponentOf(most)) + 1; place >= last; place--) {
    const found = raisedTo(least, place);
    if (cut < found && found <= most) return found + 0;
  }
  return least;
};

class NumberMove {
  constructor(value, scale, wish) {
    Object.assign(this, { value, scale, unit: 1 / scale, whole: false });
    this.up = wish !== "stays" && wish !== "down";
    this.down = wish !== "stays" && wish !== "up";
    this.least = -Infinity;
    this.most = Infinity;
  }

  cost({ lower, upper, missing, present }) {
    const x = this.value;
    if (x === null && missing) return 0;
    if (!present) return Infinity;
    if (x === null) {
      const reachable = (this.up || this.down) && this.anyOf(lower, upper) !== null;
      return reachable ? this.unit * this.scale : Infinity;
    }
    if (upper !== null && x > upper) {
      const end = this.whole ? floorOf(upper) : upper;
      const allowed = this.down && end >= this.least && (lower === null || end > lower);
      return allowed ? apart(x, end) * this.unit : Infinity;
    }
    if (lower !== null && x <= lower) {
      const end = this.whole ? nextWhole(lower) : lower;
      const allowed = this.up && end <= this.most && (upper === null || end <= upper);
      return allowed ? apart(end, x) * this.unit : Infinity;
    }
    return 0;
  }

  // The value to take; the row's own if that will do.
  taken({ lower, upper, missing }) {
    const x = this.value;
    if (x === null) return missing ? null : this.anyOf(lower, upper);
    if (upper !== null && x > upper) return this.whole ? floorOf(upper) : upper;
    return lower !== null && x <= lower ? this.above(lower, upper) : x;
  }

  above(lower, upper) {
    if (this.whole) return nextWhole(lower);
    const limit = upper === null || upper > this.most ? this.most : upper;
    return justAbove(Number(lower), Number(limit), STEP * this.scale);
  }

  anyOf(lower, upper) {
    let end = 0;
    if (upper !== null) end = this.whole ? floorOf(upper) : upper;
    else if (lower !== null) end = this.above(lower, upper);
    if (end > this.most) end = this.most;
    return end >= this.least && (lower === null || end > lower) ? end : null;
  }

  priceOf(value) {
    return this.unit * (this.value === null ? this.scale : Math.abs(apart(value, this.value)));
  }
}

class CategoryMove {
  constructor(value, wish) {
    this.value = value;
    this.unit = wish === "stays" ? Infinity : 1;
  }

  stays({ codes, missing, unknown }) {
    if (this.value === null) return missing;
    return this.value === -2 ? unknown : codes.has(this.value);
  }

  cost(allowed) {
    if (this.stays(allowed)) return 0;
    return allowed.codes.size ? this.unit : Infinity;
  }

  taken(allowed) {
    return this.stays(allowed) ? this.value : Math.min(...allowed.codes);
  }

  priceOf() {
    return this.unit;
  }
}

const isWhole = (value) => typeof value === "bigint" || Number.isInteger(value);
const scaleOf = (cuts) => {
  if (!cuts.length) return 1;
  const far = apart(cuts[cuts.length - 1], cuts[0]);
  return Number.isFinite(far) ? far || Math.abs(Number(cuts[0])) || 1 : 1e308;
};

// `cuts`: all of the model's in the column, ascending; `wish`: "stays", "up", "down" or nothing.
const moveOf = (j, value, cuts, wish) => {
  const { kind, categories, ordered, boolean } = MODEL.columns[j];
  if (kind === "category" && !ordered) return new CategoryMove(value, wish);
  const last = ordered ? categories.length - 1 : 0;
  if (ordered && value === -2) value = null;
  if (kind === "integer" || kind === "unsigned") {
    value = typeof value === "number" && isWhole(value) ? BigInt(value) : value;
  }
  const move = new NumberMove(value, ordered ? Math.max(last, 1) : scaleOf(cuts), wish);
  const truth = boolean && (value === null || value === 0 || value === 1);
  move.whole =
    truth || kind !== "numeric" || (cuts.every(isWhole) && (value === null || isWhole(value)));
  if (ordered) [move.least, move.most] = [0, last];
  else if (truth) [move.least, move.most] = [0, 1];
  else if (kind === "unsigned") move.least = 0;
  return move;
};
