// Helpers of the sample data: packed arrays, and the data put into the page.
import { readFile } from "node:fs/promises";

export const f32 = (values) => ({ f32: Buffer.from(Float32Array.from(values).buffer).toString("base64") });
export const f64 = (values) => ({ f64: Buffer.from(Float64Array.from(values, (v) => v ?? NaN).buffer).toString("base64") });

const mark = "@EXTREMAL_DATA@";

// Inside a script element only "<" could end it; in JSON it occurs in strings alone, where \u003c means the same.
export const escaped = (data) => JSON.stringify(data).replaceAll("<", "\\u003c");

export async function fill(template, data) {
  const page = await readFile(template, "utf8");
  const at = page.indexOf(mark);
  if (at < 0) throw new Error(`${template} has no ${mark}`);
  return page.slice(0, at) + escaped(data) + page.slice(at + mark.length);
}

// The data of a finished page.
export function extract(html) {
  const begin = html.indexOf('id="data">') + 'id="data">'.length;
  return JSON.parse(html.slice(begin, html.indexOf("</script>", begin)));
}

export const zip = (...columns) => columns[0].flatMap((_, i) => columns.map((column) => column[i]));

export const meta = (title, model, extra) => ({
  title, model: { name: model, file: `models/${model}.toml`, text: `# ${model}\n` }, status: "complete", version: "0.6.0", precision: "double",
  machine: "x86_64, g++ 12.2", scheme: { name: "rattle", order: 2, properties: ["symplectic", "symmetric"], citation: "Andersen 1983" },
  command: `extremal run models/${model}.toml`, ...extra,
});

// The summary of columns t, energy, residual and iterations, as Run has it.
export function summary({ t, energy, residual, hidden, iterations, seconds = 0.21 }) {
  const first = energy[0], n = t.length;
  const mean = (v) => v.reduce((a, b) => a + b, 0) / v.length, middle = mean(t), level = mean(energy);
  const slope = t.reduce((s, x, i) => s + (x - middle) * (energy[i] - level), 0) / t.reduce((s, x) => s + (x - middle) ** 2, 0);
  return {
    energy: { initial: first, max_error: Math.max(...energy.map((e) => Math.abs(e - first))), unit: "J" },
    drift: { slope, slope_error: Math.abs(slope) * 1.7 + 1e-12 },
    ...(residual && { constraints: { max: Math.max(...residual), hidden_max: Math.max(...hidden) } }),
    ...(iterations && { newton: { mean: mean(iterations), max: Math.max(...iterations) } }),
    fallbacks: 0, retries: 0, singular: 0, timing: { seconds, steps_per_second: Math.round((n - 1) / seconds) },
  };
}
