// For everyone: keys, phones, paper, light and dark, colours, calm, browsers without WebGL.
import assert from "node:assert/strict";
import test from "node:test";
import { data, eventually, hex, picture, same, scrub, seconds, variable, with_page } from "./browser.mjs";
import { settled } from "../look.mjs";

test("keys: space, arrows, home and end", () => with_page({ id: "four-bar" }, async (page) => {
  await page.keyboard.press("ArrowRight");
  assert.ok(Math.abs((await seconds(page)) - 0.02) < 1e-9, "one frame");
  await page.keyboard.press("Shift+ArrowRight");
  assert.ok(Math.abs((await seconds(page)) - 0.22) < 1e-9, "ten frames");
  await page.keyboard.press("ArrowLeft");
  assert.ok(Math.abs((await seconds(page)) - 0.2) < 1e-9);
  await page.keyboard.press("End");
  assert.ok(Math.abs((await seconds(page)) - 10) < 1e-9);
  await page.keyboard.press("Home");
  assert.equal(await seconds(page), 0);
  await page.keyboard.press("Space");
  await page.waitForFunction(() => Number(document.getElementById("clock").dataset.t) > 0.1);
  await page.keyboard.press("Space");
  const t = await seconds(page);
  for (let i = 0; i < 3; ++i) await settled(page);
  assert.equal(await seconds(page), t);
}));

test("keys: every control can be reached by tab, says what it is, and shows the focus", () => with_page({ id: "four-bar" }, async (page) => {
  const reached = new Set();
  for (let i = 0; i < 90; ++i) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const element = document.activeElement, style = getComputedStyle(element);
      if (element === document.body) return undefined;
      const name = element.getAttribute("aria-label") ?? element.textContent.trim();
      return { id: element.id, kind: element.className, name, outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 };
    });
    if (!at) break;
    assert.ok(at.name, `${at.id} ${at.kind} has no name`);
    assert.ok(at.outline, `${at.name} does not show the focus`);
    reached.add(at.id || at.kind);
  }
  for (const id of ["stage", "play", "time", "speed", "trail", "home", "theme", "copy", "series", "scroll"]) assert.ok(reached.has(id), `${id} is not reached`);
}));

test("keys: the view turns, zooms and comes back", () => with_page({ id: "pendulum" }, async (page) => {
  await scrub(page, 0.3);
  const home = await picture(page);
  await page.locator("#stage").focus();
  const focused = await picture(page);
  let last = focused;
  for (const key of ["d", "w", "+"]) {
    await page.keyboard.press(key);
    const next = await picture(page);
    assert.ok(!(await same(page, next, last)), key);
    last = next;
  }
  await page.keyboard.press("0");
  assert.ok(await same(page, await picture(page), focused));
  await page.locator("#stage").blur();
  assert.ok(await same(page, await picture(page), home));
}));

test("mouse: dragging turns, the wheel scrolls the page until the scene is clicked", () => with_page({ id: "ring" }, async (page) => {
  const box = await page.locator("#stage").boundingBox(), middle = [box.x + box.width / 2, box.y + box.height / 2];
  const home = await picture(page);
  await page.mouse.move(...middle);
  await page.mouse.wheel(0, 200);
  await page.waitForFunction(() => scrollY > 50);
  await page.evaluate(() => scrollTo(0, 0));
  assert.ok(await same(page, await picture(page), home));
  await page.mouse.down();
  await page.mouse.move(middle[0] + 90, middle[1] + 20, { steps: 3 });
  await page.mouse.up();
  const turned = await picture(page);
  assert.ok(!(await same(page, turned, home)));
  await page.mouse.wheel(0, -200);
  assert.ok(!(await same(page, await picture(page), turned)));
  assert.equal(await page.evaluate(() => scrollY), 0);
  await page.locator("#home").click();
  await page.locator("#stage").evaluate((stage) => stage.blur());
  assert.ok(await same(page, await picture(page), home));
}));

for (const { id } of data.pages)
  test(`phone: ${id} has no horizontal overflow`, () => with_page({ id, viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }, async (page) => {
    const [scroll, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(scroll <= width && width === 360, `${scroll} in ${width}`);
    const small = await page.locator("button:visible, select:visible").evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 24).map((one) => one.title));
    assert.deepEqual(small, [], "too small for a finger");
  }));

test("paper: light, a picture of the scene, all plots inside the sheet, no controls", () => with_page({ id: "four-bar", colorScheme: "dark" }, async (page) => {
  await scrub(page, 0.3);
  await page.emulateMedia({ media: "print", colorScheme: "dark", reducedMotion: "reduce" });
  // The page hears of paper when it is drawn next, whenever a busy machine does that; not polled by frames, of which paper has none.
  await page.waitForFunction(() => document.documentElement.dataset.theme === "light" && document.querySelector(".still")?.naturalWidth > 0, null, { polling: 50 });
  const still = await page.locator(".still").evaluate((img) => [img.naturalWidth, img.getBoundingClientRect().width]);
  assert.ok(still[0] >= 1000 && still[1] > 500);
  assert.equal(await page.locator(".controls:visible, .gallery:visible, #stage:visible, .plot-card .tools:visible").count(), 0);
  const outside = await page.locator(".plot-card").evaluateAll((cards) => cards.filter((card) => card.querySelector("canvas").getBoundingClientRect().right > card.getBoundingClientRect().right).length);
  assert.equal(outside, 0);
  await page.emulateMedia({ media: "screen", colorScheme: "dark", reducedMotion: "reduce" });
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark", null, { polling: 50 });
  assert.equal(await page.locator(".still").count(), 0);
  const pdf = await page.pdf({ format: "A4" });
  assert.ok(pdf.length > 50000);
}));

test("dark and light: as the system says, or as chosen; the view stays", async () => {
  const brightness = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0) / 3);
  await with_page({ id: "pendulum", colorScheme: "dark" }, async (page) => {
    assert.ok((await brightness(page)) < 40);
    await page.locator("#stage").focus();
    await page.keyboard.press("d");
    await page.locator("#stage").blur();
    const dark = await picture(page);
    await page.locator("#theme").click();
    assert.ok((await brightness(page)) > 220);
    assert.ok(!(await same(page, await picture(page), dark)));
    await page.locator("#theme").click();
    await eventually(async () => same(page, await picture(page), dark), "the picture of before");
  });
  await with_page({ id: "pendulum", colorScheme: "light" }, async (page) => assert.ok((await brightness(page)) > 220));
});

test("calm: nothing moves by itself if the reader wants no motion; otherwise it plays", async () => {
  await with_page({ id: "four-bar" }, async (page) => {
    for (let i = 0; i < 6; ++i) await settled(page);
    assert.equal(await seconds(page), 0);
  });
  await with_page({ id: "four-bar", reducedMotion: "no-preference" }, (page) => page.waitForFunction(() => Number(document.getElementById("clock").dataset.t) > 0.1));
});

test("without WebGL the rest of the report is there", () => with_page({ id: "four-bar" }, async (page) => {
  await page.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind.startsWith("webgl") ? null : original.call(this, kind, ...rest);
    };
  });
  await page.reload();
  assert.match(await page.locator(".no-stage").textContent(), /WebGL/);
  assert.equal(await page.locator(".plot-card canvas").count(), 6);
  await scrub(page, 0.5);
  assert.ok(Math.abs((await seconds(page)) - 5) < 1e-9);
}));

const linear = (c) => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const luminance = (rgb) => rgb.map(linear).reduce((sum, c, k) => sum + [0.2126, 0.7152, 0.0722][k] * c, 0);
const contrast = (a, b) => {
  const [low, high] = [luminance(hex(a)), luminance(hex(b))].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

// Full loss of one kind of cone, in linear RGB [Machado, Oliveira, Fernandes 2009].
const blindness = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};
// Distance in CIELAB of two colours as such a reader sees them.
function distance(a, b, matrix) {
  const lab = (colour) => {
    const rgb = hex(colour).map(linear);
    const [r, g, bl] = [0, 1, 2].map((row) => Math.min(1, Math.max(0, rgb.reduce((sum, c, k) => sum + matrix[3 * row + k] * c, 0))));
    const f = (t) => (t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 * t + 16) / 116);
    const [x, y, z] = [(0.4124 * r + 0.3576 * g + 0.1805 * bl) / 0.9505, 0.2126 * r + 0.7152 * g + 0.0722 * bl, (0.0193 * r + 0.1192 * g + 0.9505 * bl) / 1.089].map(f);
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
  };
  const [p, q] = [lab(a), lab(b)];
  return Math.hypot(...p.map((c, k) => c - q[k]));
}

for (const scheme of ["light", "dark"])
  test(`colours, ${scheme}: text can be read, lines can be told apart by everyone`, () => with_page({ id: "four-bar", colorScheme: scheme }, async (page) => {
    for (const text of ["text", "quiet", "accent", "good", "bad"])
      for (const ground of ["card", "back"]) {
        const ratio = contrast(await variable(page, text), await variable(page, ground));
        assert.ok(ratio >= 4.5, `${text} on ${ground}: ${ratio}`);
      }
    for (const kind of ["good", "bad"]) assert.ok(contrast(await variable(page, kind), await variable(page, `${kind}-back`)) >= 4.5);
    const lines = await Promise.all([0, 1, 2, 3, 4, 5, 6].map((i) => variable(page, `line-${i}`)));
    for (const [name, matrix] of Object.entries(blindness))
      for (let i = 0; i < 7; ++i)
        for (let j = 0; j < i; ++j) {
          const far = distance(lines[i], lines[j], matrix);
          assert.ok(far > 9, `${name}: ${lines[i]} and ${lines[j]} differ by ${far}`);
        }
  }));

test("negative control: red and green of equal brightness are one colour to some", () => {
  assert.ok(distance("#c0392b", "#5d8a2f", blindness.deuteranopia) < 0.5 * distance("#c0392b", "#5d8a2f", blindness.normal));
});
