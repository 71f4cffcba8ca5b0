// Gallery: a picture of every page to choose from.
import { h } from "./dom.js";
import { Motion } from "./motion.js";
import { Stage } from "./stage.js";
import { World } from "./world.js";

const picture = { width: 392, height: 232 };

export class Gallery {
  constructor(pages, webgl) {
    this.webgl = webgl;
    this.cards = pages.map((page) => ({ page, canvas: h("canvas", { ...picture, "aria-hidden": "true" }) }));
    this.links = this.cards.map(({ page, canvas }) => h("a", { href: `#${encodeURIComponent(page.id)}`, "data-page": page.id },
      webgl && page.scene ? canvas : h("span", { class: "no-picture" }, "plots"),
      h("span", { class: "caption" }, h("strong", {}, page.meta.title ?? page.meta.model.name), h("span", { class: "quiet" }, page.meta.scheme.name))));
    this.element = h("nav", { class: "gallery", "aria-label": "pages of this report" }, this.links);
  }

  mark(id) {
    for (const link of this.links) {
      if (link.dataset.page === id) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  // One after the other, so that the page can be used meanwhile; a change of theme starts again.
  async draw_pictures() {
    if (!this.webgl) return;
    this.stage ??= new Stage(document.createElement("canvas"));
    const { stage } = this, round = (this.round = {});
    stage.trail_span = 0.3;
    stage.resize(picture.width, picture.height, 1);
    for (const { page, canvas } of this.cards) {
      await new Promise((done) => requestAnimationFrame(done));
      if (this.round !== round) return;
      if (!page.scene) continue;
      const motion = new Motion(page.scene), world = new World(page.scene, motion);
      stage.show(world);
      stage.time = motion.begin + (page.scene.poster ?? 0.3) * (motion.end - motion.begin);
      stage.draw();
      canvas.getContext("2d").drawImage(stage.canvas, 0, 0);
      world.dispose();
    }
  }
}
