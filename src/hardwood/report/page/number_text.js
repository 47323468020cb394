// The shortest text that reads back as the same number, written as Python writes it.
const numberText = (value) => {
  if (typeof value === "bigint") return String(value);
  if (value === 0) return "0";
  const [digits, power] = Math.abs(value).toExponential().split("e");
  const sign = value < 0 ? "-" : "",
    bare = digits.replace(".", ""),
    place = Number(power);
  if (place >= 16 || place < -4) {
    const exponent = String(Math.abs(place)).padStart(2, "0");
    return `${sign}${digits}e${place < 0 ? "-" : "+"}${exponent}`;
  }
  if (place < 0) return `${sign}0.${"0".repeat(-place - 1)}${bare}`;
  if (bare.length <= place + 1) return sign + bare + "0".repeat(place + 1 - bare.length);
  return `${sign}${bare.slice(0, place + 1)}.${bare.slice(place + 1)}`;
};
// For cards, where the eye wants few digits; the words beside the picture have all of them.
const shortNumber = (value) =>
  typeof value === "bigint" ? String(value) : numberText(Number(value.toPrecision(6)));
// For reading: a few digits.
const rounded = (value, digits = 4) => {
  if (value === null || value === undefined) return "\u2013";
  return numberText(Number(Number(value).toPrecision(digits)));
};
const percent = (share) => {
  if (share === 0 || share === 1) return `${100 * share}%`;
  if (share < 0.001) return "<0.1%";
  if (share > 0.999) return ">99.9%";
  return `${(100 * share).toFixed(1)}%`;
};
