// node build.mjs [OUT.html]: bundles src/ and the libraries into one HTML file, dist/report.html unless said otherwise,
// with the mark @EXTREMAL_DATA@ where the data go (README.md).
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist", "report.html");
const mark = "@EXTREMAL_DATA@";

// The Latin letters of the font, upright, are enough: other letters fall back to the system's fonts.
const only_latin = {
  name: "only-latin",
  setup(bundle) {
    bundle.onLoad({ filter: /inter[\\/]wght\.css$/ }, async ({ path }) => {
      const css = await readFile(path, "utf8");
      const latin = css.match(/@font-face\s*{[^}]*inter-latin-wght-normal[^}]*}/);
      if (!latin) throw new Error("the font has no Latin part");
      return { contents: latin[0], loader: "css" };
    });
  },
};

const result = await build({
  entryPoints: [join(here, "src", "main.js")],
  bundle: true, minify: true, write: false, outdir: "out", target: "es2022", format: "iife", charset: "utf8",
  legalComments: "none",  // the licences are in the head of the page, whole
  loader: { ".woff2": "dataurl" },
  plugins: [only_latin],
});
const text = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending)).text;

const licences = await Promise.all(["three", "uplot", "@fontsource-variable/inter"].map(async (name) =>
  `${name}\n\n${(await readFile(join(here, "node_modules", name, "LICENSE"), "utf8")).trim()}`));

const parts = {
  "@LICENCES@": licences.join("\n\n").replaceAll("--", "- -"),
  "@STYLE@": text(".css").trim(),
  "@SCRIPT@": text(".js").trim().replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--"),
};
let page = await readFile(join(here, "src", "template.html"), "utf8");
for (const [name, value] of Object.entries(parts)) page = page.replace(name, () => value);
if (page.split(mark).length !== 2) throw new Error(`${mark} must be in the page exactly once`);
await mkdir(dirname(out), { recursive: true });
await writeFile(out, page);
console.log(`${out}: ${(page.length / 1e6).toFixed(2)} MB`);
