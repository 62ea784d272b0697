// The reference page: opens operations by their links, and searches them. The server has listed them already.
import { byId, element } from "./elements.js";
import { findOperation, operationDetails } from "./operation.js";
import "./sign-in.js";

const field = byId("search-field");
const result = byId("search-result");
const rows = [...document.querySelectorAll(".operation")];
const sections = [...document.querySelectorAll("main > section")];

let texts;

/** Returns what each operation is found by. Made at the first search: it takes longer than all the rest of the start. */
function searchable() {
  texts ??= sections.flatMap((section) => {
    const topic = section.querySelector("h2").textContent;
    const own = [...section.querySelectorAll(".operation")];
    return own.map((row) => [row, `${row.querySelector("summary").textContent} ${row.id} ${topic}`.toLowerCase()]);
  });
  return texts;
}

let loading;

/** Loads the document, once. */
function loadDocument() {
  loading ??= fetch("/openapi.json", { credentials: "omit" })
    .then((response) => (response.ok ? response.json() : Promise.reject(new Error(String(response.status)))))
    .catch((error) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

async function fill(row) {
  if (row.childElementCount > 1) return;
  const note = element("p", { class: "details", role: "status" }, "Loading…");
  row.append(note);
  const api = await loadDocument().catch(() => undefined);
  if (api) return note.replaceWith(operationDetails(api, findOperation(api, row.id)));
  note.remove();
  row.open = false;
  result.textContent = "The document could not be loaded. Open the operation again.";
}

for (const row of rows)
  row.addEventListener("toggle", () => {
    if (!row.open) return;
    if (location.hash !== `#${row.id}`) history.replaceState(null, "", `#${row.id}`);
    void fill(row);
  });

/** Opens the operation that the address names, and scrolls to it. */
async function openNamed() {
  const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!row?.classList.contains("operation")) return;
  if (row.hidden) search("");
  row.open = true;
  row.scrollIntoView();
  await fill(row);
  // The last ones get to the top only now. The reader may have gone on meanwhile.
  if (!row.open || location.hash !== `#${row.id}`) return;
  row.scrollIntoView();
  row.querySelector("summary").focus({ preventScroll: true });
}

/** Shows the operations that contain all words. */
function search(text) {
  field.value = text;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const [row, own] of searchable()) {
    row.hidden = !words.every((word) => own.includes(word));
    if (!row.hidden) found += 1;
  }
  for (const section of sections) section.hidden = !section.querySelector(".operation:not([hidden])");
  document.body.classList.toggle("searching", words.length > 0);
  result.textContent = words.length > 0 ? describe(found) : "";
}

const describe = (found) =>
  found === 0 ? "No operation has all of these words." : `${found} ${found === 1 ? "operation" : "operations"}`;

field.addEventListener("input", () => {
  search(field.value);
  scrollTo(0, 0);
});
field.addEventListener("keydown", (event) => {
  if (event.key === "Escape") search("");
  if (event.key !== "Enter") return;
  const first = rows.find((row) => !row.hidden);
  if (first) location.hash = `#${first.id}`;
});

addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select, dialog");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field.focus();
});

addEventListener("hashchange", openNamed);
void openNamed();
// Before an operation is opened, so that it opens at once; but not for a reader of the list, since the server needs a second to
// make the document.
for (const intent of ["pointerover", "focusin"])
  document
    .querySelector("main")
    .addEventListener(intent, () => loadDocument().catch(() => undefined), { once: true, passive: true });
