// The report: reads the data block, shows one page at a time, and prints.
import "@fontsource-variable/inter/wght.css";
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { DataError, read_data } from "./data.js";
import { h, icon_button } from "./dom.js";
import { Gallery } from "./gallery.js";
import { Page } from "./page.js";
import { Stage, webgl_works } from "./stage.js";
import { theme } from "./theme.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const root = document.getElementById("report");
let page, stage, gallery;

function start() {
  theme.changed();
  let data;
  try {
    data = read_data(document.getElementById("data").textContent);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    root.replaceChildren(h("p", { class: "failure", role: "alert" }, error.message));
    return;
  }
  document.title = data.title;
  stage = webgl_works() ? new Stage(h("canvas")) : undefined;
  const toggle = icon_button("dark", "light or dark", () => theme.toggle(), { id: "theme" });
  const bar = h("header", { class: "bar" },
    h("p", { class: "mark" }, h("strong", {}, "extremal"), h("span", { class: "quiet" }, data.title)),
    h("div", { class: "tools" }, icon_button("print", "print", () => print()), toggle));
  const main = h("main", { id: "main", tabindex: -1 });
  root.replaceChildren(h("a", { class: "skip", href: "#main", onclick: (event) => (event.preventDefault(), main.focus()) }, "to the content"), bar);
  if (data.pages.length > 1) {
    gallery = new Gallery(data.pages, Boolean(stage));
    root.append(gallery.element);
  }
  root.append(main, h("footer", { class: "foot quiet" }, data.generator ? `Made by ${data.generator}.` : "", " This page is complete in itself: it loads nothing from the network."));

  const show = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const chosen = data.pages.find((candidate) => candidate.id === id) ?? data.pages[0];
    if (page?.data === chosen) return;
    page?.dispose();
    page = new Page(chosen, stage);
    main.replaceChildren(page.element);
    page.attach();
    gallery?.mark(chosen.id);
    if (!calm.matches && page.animation) page.player.play();
  };
  show();
  gallery?.draw_pictures();
  addEventListener("hashchange", show);
  addEventListener("keydown", key);
  theme.listeners.add(() => {
    page.repaint();
    gallery?.draw_pictures();
  });
  document.fonts.ready.then(() => page.repaint());
  addEventListener("beforeprint", () => paper(true));
  addEventListener("afterprint", () => paper(false));
  matchMedia("print").addEventListener("change", (event) => paper(event.matches));
}

// Fields and buttons keep the keys they use themselves.
function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !page?.animation) return;
  const at = document.activeElement?.tagName;
  if (at === "SELECT" || (at === "INPUT" && event.key !== " ")) return;
  if ((at === "BUTTON" || at === "A") && (event.key === " " || event.key === "Enter")) return;
  if (at === "PRE" || document.activeElement?.classList.contains("scroll")) return;
  if (page.animation.key(event)) event.preventDefault();
}

// On paper: light, the scene as a picture, plots at the width of the sheet.
function paper(on) {
  if (theme.paper === on || !page) return;
  theme.paper = on;
  document.documentElement.classList.toggle("paper", on);
  if (on) page.player.pause();
  theme.changed();
  const screen = page.animation?.screen;
  screen?.querySelector("img")?.remove();
  if (on && screen && stage) screen.append(h("img", { class: "still", alt: "the motion at the time shown", src: stage.picture(1000, 560) }));
  page.resize();
}

start();
