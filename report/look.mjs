// node look.mjs FILE.html OUT.png [--page ID] [--time PART] [--width W] [--height H] [--dark] [--full] [--print OUT.pdf]
//
// Opens a report in headless Chromium and takes a picture. Ends with 1, and says why, if the page reports any error.
import { chromium } from "playwright-core";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { pathToFileURL } from "node:url";

export const launch = () => chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});

// A page that collects what went wrong in `errors`, network requests included.
export async function open(browser, file, { hash = "", ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(300000);  // a busy machine takes long, and that is no fault of the page
  const page = await context.newPage();
  const errors = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !software(message.text()) && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || errors.push(`asks for ${request.url()}`));
  await page.goto(pathToFileURL(resolve(file)).href + hash);
  await settled(page);
  return { page, errors, context };
}

// Fonts are there, and the layout and pictures that depend on them.
export async function settled(page) {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let i = 0; i < 4; ++i) await new Promise(requestAnimationFrame);
  });
}

// What Chromium says of its own software renderer is not about the page.
const software = (text) => /GPU stall due to ReadPixels|swiftshader/i.test(text);

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: {
    page: { type: "string" }, time: { type: "string" }, width: { type: "string" }, height: { type: "string" },
    dark: { type: "boolean" }, full: { type: "boolean" }, print: { type: "string" },
  } });
  const browser = await launch();
  const { page, errors } = await open(browser, positionals[0], {
    hash: values.page ? `#${values.page}` : "", colorScheme: values.dark ? "dark" : "light",
    viewport: { width: Number(values.width ?? 1360), height: Number(values.height ?? 860) }, deviceScaleFactor: values.width ? 2 : 1.5,
  });
  if (values.time)
    await page.locator("#time").evaluate((slider, part) => {
      slider.value = Math.round(part * 10000);
      slider.dispatchEvent(new Event("input"));
    }, Number(values.time));
  await page.waitForTimeout(600);
  await page.screenshot({ path: positionals[1], fullPage: values.full });
  if (values.print) await page.pdf({ path: values.print, format: "A4", printBackground: true });
  await browser.close();
  if (errors.length) {
    console.error(errors.join("\n"));
    process.exit(1);
  }
}
