// node pictures.mjs FILE.html DIRECTORY [--time PART]
//
// A picture of the motion of every page of a report, DIRECTORY/ID.png. Ends with 1, and says why, if a page reports any
// error.
import { parseArgs } from "node:util";
import { launch, open, settled } from "./look.mjs";

const { values, positionals: [file, directory] } = parseArgs({ allowPositionals: true, options: { time: { type: "string", default: "0.4" } } });
const browser = await launch();
const view = { viewport: { width: 900, height: 700 }, deviceScaleFactor: 1 };
const list = await open(browser, file, view);
const ids = await list.page.evaluate(() => JSON.parse(document.getElementById("data").textContent).pages.map((page) => page.id));
await list.context.close();
const failed = list.errors;
for (const id of ids) {
  const { page, errors, context } = await open(browser, file, { ...view, hash: `#${encodeURIComponent(id)}` });
  const slider = page.locator("#time");
  if (await slider.count()) {
    await slider.evaluate((input, part) => {
      input.value = Math.round(part * 10000);
      input.dispatchEvent(new Event("input"));
    }, Number(values.time));
    await settled(page);
    await page.waitForTimeout(300);
    await page.locator("#stage").evaluate((canvas) => {
      for (const button of canvas.parentElement.children) if (button !== canvas) button.style.visibility = "hidden";
    });
    await page.locator("#stage").screenshot({ path: `${directory}/${id}.png` });
  } else {
    failed.push(`${id}: no motion to show`);
  }
  failed.push(...errors.map((error) => `${id}: ${error}`));
  await context.close();
}
await browser.close();
if (failed.length) {
  console.error(failed.join("\n"));
  process.exit(1);
}
