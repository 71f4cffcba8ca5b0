// h("button", {class: "small", onclick: f}, "text", node): an element.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// Line drawings of 24 by 24; they inherit the colour of the text.
const drawings = {
  play: '<path d="M7 4.5v15l12.5-7.5z" fill="currentColor" stroke="none"/>',
  pause: '<path d="M7 5h3.5v14H7zM13.5 5H17v14h-3.5z" fill="currentColor" stroke="none"/>',
  start: '<path d="M6 5v14M19 5.5v13L9 12z"/>',
  view: '<path d="M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5"/>',
  plus: '<path d="M12 5v14M5 12h14"/>',
  minus: '<path d="M5 12h14"/>',
  light: '<circle cx="12" cy="12" r="4"/><path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4"/>',
  dark: '<path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z"/>',
  print: '<path d="M7 8V3.5h10V8M7 17H4V9h16v8h-3M7 14h10v6.5H7z"/>',
  copy: '<path d="M9 9h11v11H9zM15 9V4H4v11h5"/>',
  picture: '<path d="M4 7h3.5L9 4.5h6L16.5 7H20v12H4z"/><circle cx="12" cy="13" r="3.5"/>',
  save: '<path d="M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 19.5h14"/>',
  done: '<path d="M5 12.5l4.5 4.5L19 7.5"/>',
};

export function icon(name) {
  const holder = document.createElement("template");
  holder.innerHTML = `<svg viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${drawings[name]}</svg>`;
  return holder.content.firstChild;
}

export const icon_button = (name, label, onclick, attributes = {}) =>
  h("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick, ...attributes }, icon(name));
