// A field in which series are found by their names, all there are.
import { h } from "./dom.js";

const most = 60;  // names that show at once

// choose(index) of a series of the group.
export function chooser(group, choose) {
  const list = h("ul", { class: "options", id: `options-${group.id}` });
  list.hidden = true;
  const field = h("input", {
    type: "search", placeholder: `show another of ${group.series.length}: part of its name`, "aria-label": `choose a series of ${group.title}`,
    "aria-controls": list.id, autocomplete: "off", oninput: () => offer(), onfocus: () => offer(),
    onkeydown: (event) => {
      if (event.key === "Escape") close();
      if (event.key === "Enter") list.querySelector("button")?.click();
      if (event.key === "ArrowDown") list.querySelector("button")?.focus();
      event.stopPropagation();
    },
  });
  const close = () => {
    list.hidden = true;
  };
  function offer() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = group.series.flatMap((series, index) => (words.every((word) => series.name.toLowerCase().includes(word)) ? [[series, index]] : []));
    list.replaceChildren(...found.slice(0, most).map(([series, index]) => h("li", {}, h("button", {
      type: "button", onclick: () => {
        choose(index);
        field.value = "";
        close();
      },
    }, h("span", {}, series.name), h("span", { class: "unit" }, series.unit ?? "")))));
    if (found.length > most) list.append(h("li", { class: "more" }, `and ${found.length - most} more`));
    if (found.length === 0) list.append(h("li", { class: "more" }, "no name has this"));
    list.hidden = false;
  }
  const box = h("div", { class: "choose" }, field, list);
  box.addEventListener("focusout", (event) => box.contains(event.relatedTarget) || close());
  return box;
}
