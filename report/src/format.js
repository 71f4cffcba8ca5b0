// Numbers as text.

// Four significant digits at the most, three with an exponent; text that is no number stays as it is.
export function short_number(value, digits = 4) {
  if (value === null || value === undefined) return "–";
  const number = typeof value === "string" ? Number(value) : value;
  if (Number.isNaN(number)) return String(value);
  if (number === 0) return "0";
  if (!Number.isFinite(number)) return number > 0 ? "∞" : "−∞";
  if (Number.isInteger(number) && Math.abs(number) < 1e7) return minus(String(number));
  const size = Math.abs(number);
  if (size >= 1e-3 && size < 1e6) {
    const text = number.toPrecision(digits);
    return minus(text.includes("e") ? String(Math.round(number)) : text.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, ""));
  }
  return minus(number.toExponential(Math.min(digits - 1, 2)).replace(/\.?0+e/, "e").replace("e+", "e"));
}

const minus = (text) => text.replaceAll("-", "−");

// Ticks of an axis, told apart by as many digits as their distance needs.
export function tick_labels(ticks) {
  const shown = ticks.filter((tick) => tick !== null);
  if (shown.length === 0) return ticks.map(() => "");
  const size = Math.max(...shown.map(Math.abs));
  const gap = shown.length > 1 ? Math.abs(shown[1] - shown[0]) : size || 1;
  if (size >= 1e5 || size < 1e-3) {
    const digits = Math.max(0, Math.ceil(Math.log10(size / gap) - 1e-9));
    return ticks.map((tick) => tick === null ? "" : tick === 0 ? "0" : minus(tick.toExponential(Math.min(digits, 8)).replace("e+", "e")));
  }
  const decimals = Math.min(12, Math.max(0, -Math.floor(Math.log10(gap) + 1e-9)));
  const exact = gap * 10 ** decimals;
  const more = Math.abs(exact - Math.round(exact)) > 1e-6 ? 1 : 0;
  return ticks.map((tick) => (tick === null ? "" : minus((tick === 0 ? 0 : tick).toFixed(decimals + more))));
}

export function duration(t, span) {
  const decimals = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(span || 1))));
  return minus(t.toFixed(Math.min(decimals, 4)));
}

export const with_unit = (name, unit) => (unit ? `${name} [${unit}]` : name);
