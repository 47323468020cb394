// What must hold for a row to take a branch, as in the Python package's tree/conditions.py: an
// interval (lower, upper], or a set of categories; two about the same column join into one.
// A condition is shown as parts: [text, is it a name?].
const larger = (a, b) => (a === null || (b !== null && b > a) ? b : a);
const smaller = (a, b) => (a === null || (b !== null && b < a) ? b : a);

const joined = (earlier, later) => {
  const both = {
    column: earlier.column,
    missing: earlier.missing && later.missing,
    seen: earlier.seen || later.seen,
  };
  if (!earlier.codes) {
    both.lower = larger(earlier.lower, later.lower);
    both.upper = smaller(earlier.upper, later.upper);
    both.present = earlier.present && later.present;
    return both;
  }
  const yours = new Set(later.codes);
  const kept = new Set(
    earlier.codes.filter((code) => yours.has(code) || (later.others && !later.elsewhere.has(code))),
  );
  if (earlier.others) {
    for (const code of later.codes) if (!earlier.elsewhere.has(code)) kept.add(code);
  }
  both.codes = [...kept].sort((a, b) => a - b);
  both.elsewhere = new Set([...earlier.elsewhere, ...later.elsewhere]);
  both.others = earlier.others && later.others;
  return both;
};

const othersKnown = (group, column) =>
  group.others && new Set([...group.elsewhere, ...group.codes]).size < column.categories.length;

// How a node tells its branch: other categories only if some can still come this way.
const asTold = (branch, path) => {
  if (!branch.codes || !branch.others) return branch;
  const column = MODEL.columns[branch.column];
  const more = othersKnown(path, column) || path.codes.length > branch.codes.length;
  return { ...branch, others: more || branch.elsewhere.size === 0 };
};

const intervalParts = (condition, name, number, boolean) => {
  const { lower, upper } = condition;
  const suffix = condition.missing && condition.seen ? " or missing" : "";
  if (!condition.present) return [name, [" is missing", false]];
  if (boolean) {
    const within = [0, 1].filter(
      (truth) => (lower === null || truth > lower) && (upper === null || truth <= upper),
    );
    if (within.length) {
      const said = within.length > 1 ? "present" : within[0] ? "true" : "false";
      return [name, [` is ${said}${suffix}`, false]];
    }
  }
  if (lower !== null && upper !== null) {
    return [name, [` in (${number(lower)}, ${number(upper)}]${suffix}`, false]];
  }
  if (lower !== null) return [name, [` > ${number(lower)}${suffix}`, false]];
  if (upper !== null) return [name, [` <= ${number(upper)}${suffix}`, false]];
  return [name, [` is present${suffix}`, false]];
};

// `width`: characters of category names before the rest is counted; null for all. `number` writes
// the ends of an interval.
const conditionParts = (condition, width = null, number = numberText) => {
  const column = MODEL.columns[condition.column];
  const name = [column.name, true];
  if (!condition.codes) return intervalParts(condition, name, number, column.boolean);
  const withMissing = condition.missing && condition.seen;
  const suffix = othersKnown(condition, column) ? " (and others)" : "";
  if (!condition.codes.length) {
    return [name, [withMissing ? ` is missing${suffix}` : " is another value", false]];
  }
  if (condition.others && !condition.elsewhere.size && !withMissing) {
    return [name, [" is present", false]];
  }
  const parts = [name, [" in {", false]];
  let used = 0;
  for (const [place, code] of condition.codes.entries()) {
    const text = column.categories[code];
    used += Math.min(text.length, LONGEST_NAME) + 2;
    if (place) parts.push([", ", false]);
    if (width !== null && used > width && place) {
      parts.push([`${condition.codes.length - place} more`, false]);
      break;
    }
    parts.push([text, true]);
  }
  parts.push([`}${suffix}${withMissing ? " or missing" : ""}`, false]);
  return parts;
};
const partsText = (parts) => parts.map(([text]) => text).join("");
const partsShort = (parts) => parts.map(([text, name]) => (name ? clipped(text) : text)).join("");
const partsShown = (parts) =>
  parts.map(([text, name]) =>
    name ? nameOf(text) : text.replace(" <= ", " \u2264\u00a0").replace(" > ", " >\u00a0"),
  );
