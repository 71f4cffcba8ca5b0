// The figures of a run, the laws, the model and how to repeat it: everything that is text.
import { h, icon, icon_button } from "./dom.js";
import { short_number } from "./format.js";

// Four digits to read, all of them on hovering and for programs.
export const figure = (value, unit) =>
  h("span", { class: "figure" }, h("data", { value: String(value), title: String(value) }, short_number(value)), unit ? ` ${unit}` : "");

const row = (name, id, ...value) => h("div", { "data-figure": id }, h("dt", {}, name), h("dd", {}, ...value));

export function key_figures({ meta, summary = {} }) {
  const { energy, drift, constraints, newton, timing } = summary;
  const rows = [];
  if (energy?.initial !== undefined) rows.push(row("Energy at the start", "energy_initial", figure(energy.initial, energy.unit)));
  if (energy?.max_error !== undefined) rows.push(row("Energy error, at most", "energy_max_error", figure(energy.max_error, energy.unit)));
  if (drift) rows.push(row("Energy drift per unit time", "drift", figure(drift.slope), " ± ", figure(drift.slope_error)));
  if (constraints?.max !== undefined) rows.push(row("Constraints |g|, at most", "constraint_max", figure(constraints.max)));
  if (constraints?.hidden_max !== undefined) rows.push(row("Hidden |G v|, at most", "hidden_max", figure(constraints.hidden_max)));
  for (const momentum of summary.momenta ?? [])
    rows.push(row(`Change of ${/^(along|about) /.test(momentum.name) ? "momentum " : ""}${momentum.name}`, `momentum:${momentum.name}`, figure(momentum.max_error, momentum.unit)));
  if (newton) rows.push(row("Newton iterations a step", "newton", figure(newton.mean), ", at most ", figure(newton.max)));
  const rare = ["fallbacks", "retries", "singular"].filter((name) => summary[name] !== undefined);
  if (rare.length)
    rows.push(row(capital(rare.join(" · ")), "trouble", ...rare.flatMap((name, i) => [i ? " · " : "", h("span", { "data-figure": name }, figure(summary[name]))])));
  if (timing?.steps_per_second !== undefined) rows.push(row("Speed", "steps_per_second", figure(timing.steps_per_second), " steps/s"));
  if (timing?.seconds !== undefined) rows.push(row("Time taken", "seconds", figure(timing.seconds, "s")));
  for (const more of summary.more ?? []) rows.push(row(more.name, `more:${more.name}`, figure(more.value, more.unit)));
  const notes = (meta.notes ?? []).map((note) => h("li", {}, note));
  if (rows.length + notes.length === 0 && !summary.laws?.length) return null;
  return h("aside", { class: "card figures", "aria-label": "summary" },
    h("h2", {}, "Summary"), laws_line(summary.laws), h("dl", {}, rows), notes.length ? h("ul", { class: "notes" }, notes) : null);
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
const declared = (law) => law.declared !== "-" && law.declared !== "";

function laws_line(laws = []) {
  const promised = laws.filter(declared), kept = promised.filter((law) => law.holds);
  if (promised.length === 0) return null;
  const good = kept.length === promised.length;
  return h("p", { class: `verdict ${good ? "good" : "bad"}` }, good ? icon("done") : "✕ ",
    `${kept.length} of ${promised.length} declared laws hold`);
}

export function laws_table(laws = []) {
  if (laws.length === 0) return null;
  const verdict = (law) => !declared(law) ? h("td", { class: "quiet" }, "measured only")
    : h("td", { class: law.holds ? "good" : "bad" }, law.holds ? "✓ holds" : "✕ fails");
  return h("section", { class: "card laws", id: "laws" },
    h("h2", {}, "Laws"),
    h("p", { class: "quiet" }, "Properties of this scheme on this system, measured against what the scheme declares; the floor is what round-off alone would give, or the tolerance on a slope."),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "table of laws" }, h("table", {},
      h("thead", {}, h("tr", {}, ["Law", "Declared", "Measured", "Defect", "Floor", ""].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, laws.map((law) => h("tr", {},
        h("th", { scope: "row" }, law.name), h("td", {}, law.declared), h("td", {}, law.measured),
        h("td", { class: "number" }, law.defect === undefined ? "" : figure(law.defect)),
        h("td", { class: "number" }, law.floor === undefined ? "" : figure(law.floor)), verdict(law)))))));
}

export function model_text({ meta }) {
  if (!meta.model.text) return null;
  return h("section", { class: "card model" },
    h("h2", {}, "Model ", h("span", { class: "quiet" }, meta.model.file ?? meta.model.name)),
    h("pre", { tabindex: 0, role: "region", "aria-label": "model file" }, h("code", {}, meta.model.text)));
}

export function repeat({ meta }) {
  const { scheme } = meta;
  const facts = [
    ["Scheme", scheme.name], ["Order", scheme.order], ["Properties", scheme.properties?.join(", ")], ["Reference", scheme.citation],
    ["Step", meta.step], ["Steps", meta.steps], ["Until", meta.until], ["Precision", meta.precision],
    ["Version", meta.version], ["Machine", meta.machine],
  ].filter(([, value]) => value !== undefined && value !== "");
  return h("section", { class: "card repeat" },
    h("h2", {}, "Repeat this run"),
    meta.command ? command(meta.command) : null,
    meta.archive ? h("p", { class: "quiet" }, "Data: ", h("code", {}, meta.archive)) : null,
    h("dl", { class: "facts" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value))))));
}

function command(text) {
  const code = h("code", {}, text);
  const said = h("span", { class: "said", role: "status" });
  const button = icon_button("copy", "copy the command", async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {  // not allowed on file:// in some browsers
      const range = document.createRange();
      range.selectNodeContents(code);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      document.execCommand("copy");
    }
    said.textContent = "copied";
    setTimeout(() => (said.textContent = ""), 1500);
  }, { id: "copy" });
  return h("div", { class: "command" }, h("pre", {}, code), said, button);
}

export function heading({ meta }) {
  const facts = [meta.scheme.name, `step ${meta.step}`, meta.steps !== undefined ? `${meta.steps} steps` : null, meta.precision].filter(Boolean);
  const bad = meta.status !== "complete";
  return h("header", { class: "run-head" },
    h("h1", {}, meta.title ?? meta.model.name),
    meta.description ? h("p", { class: "lead" }, meta.description) : null,
    h("p", { class: "facts-line" }, h("span", { class: `badge ${bad ? "bad" : "good"}` }, bad ? "✕ " : "✓ ", meta.status),
      facts.map((fact) => h("span", {}, fact))),
    bad && meta.reason ? h("p", { class: "reason", role: "alert" }, meta.reason) : null);
}
