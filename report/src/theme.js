// Theme: light or dark, as the system says or as the reader chose; always light in print.
// Colours of lines are those of Okabe and Ito, told apart with every common kind of colour blindness; a second round of
// them is dashed.

const lines = {
  light: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b5b5b"],
  dark: ["#56b4e9", "#e69f00", "#1fbf92", "#dd8fbb", "#f0e442", "#ec7a30", "#868686"],
};
const dashes = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

const dark_system = matchMedia("(prefers-color-scheme: dark)");
const printing = matchMedia("print");

export const theme = {
  chosen: stored(),
  listeners: new Set(),
  paper: false,  // set while the page is being printed

  get name() {
    if (this.paper || printing.matches) return "light";
    return this.chosen ?? (dark_system.matches ? "dark" : "light");
  },

  toggle() {
    this.chosen = this.name === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("extremal-theme", this.chosen);
    } catch { /* a page without storage forgets */ }
    this.changed();
  },

  changed() {
    document.documentElement.dataset.theme = this.name;
    for (const listener of this.listeners) listener();
  },

  line: (index) => lines[theme.name][index % 7],
  dash: (index) => dashes[Math.floor(index / 7) % dashes.length],
  colour: (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim(),
};

function stored() {
  try {
    return localStorage.getItem("extremal-theme") ?? undefined;
  } catch {
    return undefined;
  }
}

dark_system.addEventListener("change", () => theme.changed());
