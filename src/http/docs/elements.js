// Makes elements. Text only ever becomes text: the page's policy forbids markup made from it.

/** `element("a", { href }, "text", child)`: a function is a listener, `true` an empty attribute, and `false` none. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== undefined && child !== ""));
  return made;
}

export const byId = (id) => document.getElementById(id);

/** The parts of Markdown that descriptions have: paragraphs, lists, and code. */
export function prose(text = "") {
  const blocks = [];
  for (const block of text.split(/\n\n+/)) {
    const lines = block.split("\n");
    const items = lines.filter((line) => line.startsWith("- "));
    const before = lines.filter((line) => !line.startsWith("- ")).join(" ");
    if (before) blocks.push(element("p", {}, inline(before)));
    if (items.length > 0)
      blocks.push(element("ul", {}, ...items.map((item) => element("li", {}, inline(item.slice(2))))));
  }
  return blocks;
}

export const inline = (text = "") =>
  text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? element("code", {}, part) : part));
