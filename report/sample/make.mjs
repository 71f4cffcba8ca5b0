// node sample/make.mjs [OUT.html]: a report of made-up runs, dist/sample.html unless said otherwise.
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { four_bar } from "./four_bar.mjs";
import { fill } from "./pack.mjs";
import { ring } from "./ring.mjs";
import { pendulum, tumbling } from "./spatial.mjs";
import { long, spring } from "./spring.mjs";

const dist = join(dirname(fileURLToPath(import.meta.url)), "..", "dist");
export const template = join(dist, "report.html");

export const sample = () => ({
  format: "extremal-report", version: 1, title: "Sample report", generator: "extremal 0.6.0",
  pages: [four_bar(), ring(), pendulum(), tumbling(), spring(), long()],
});

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const out = process.argv[2] ?? join(dist, "sample.html");
  await writeFile(out, await fill(template, sample()));
  console.log(out);
}
