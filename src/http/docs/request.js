// The form that sends a request, and its response.
import { element } from "./elements.js";
import { resolve } from "./schema.js";
import { account, chosenOrganization, keyOrganization, onChange, send } from "./session.js";

/** Text is shown up to this length; what is longer can be saved. */
const LONGEST = 200_000;

export function requestForm({ path, method, parameters, body, credential, api }) {
  const kind = credential === "optional" ? "session" : credential;
  const rows = parameters.map((parameter) => ({ ...parameter, input: inputFor(api, parameter) }));
  const content = body && bodyInput(body);
  const result = element("div", { class: "answer", "aria-live": "polite" });
  const hint = element("p", { class: "hint" });
  const curl = element("pre", { tabindex: "0" });
  const button = element("button", { type: "submit" }, "Send");
  const form = element(
    "form",
    { class: "side", novalidate: true },
    element("h3", {}, "Try it"),
    hint,
    ...rows.map(({ name, in: place, required, input }) =>
      element("label", {}, element("span", {}, name, required ? " *" : "", element("small", {}, ` ${place}`)), input),
    ),
    ...(content ? [content.row] : []),
    button,
    element(
      "details",
      { class: "later", toggle: () => curl.replaceChildren(curlOf(method, address(path, rows), rows, content, kind)) },
      element("summary", {}, "As curl"),
      curl,
    ),
    result,
  );

  function follow() {
    const org = kind === "apiKey" ? keyOrganization() : chosenOrganization();
    const needs =
      kind === "apiKey" ? "Enter an API key under “Sign in” first." : "Sign in first, at the top of the page.";
    const isReady = kind === "open" || credential === "optional" || org !== undefined || account() !== undefined;
    hint.textContent = isReady ? "" : needs;
    hint.hidden = isReady;
    for (const { name, input } of rows)
      if (isOrganization(name) && (input.value === "" || input.value === input.dataset.filled))
        input.dataset.filled = input.value = org ?? "";
  }
  onChange(follow);
  follow();

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.ariaDisabled === "true") return;
    const missing = rows.find(
      ({ in: place, required, input }) => (place === "path" || required) && !input.value.trim(),
    );
    if (missing) {
      missing.input.setAttribute("aria-invalid", "true");
      result.replaceChildren(element("p", { class: "problem" }, `${missing.name} is missing.`));
      return missing.input.focus();
    }
    for (const { input } of rows) input.removeAttribute("aria-invalid");
    button.ariaDisabled = "true";
    const began = performance.now();
    try {
      const { headers, payload } = sent(rows, content);
      const options = { method, headers, ...(payload !== undefined && { body: payload }) };
      const response = await send(kind, address(path, rows), options);
      result.replaceChildren(...(await answerOf(response, performance.now() - began)));
    } catch (error) {
      const reason = error.status ? error.message : "The server is unreachable, or the response could not be read.";
      result.replaceChildren(element("p", { class: "problem" }, reason));
    }
    button.ariaDisabled = "false";
  });
  return form;
}

const isOrganization = (name) => name === "orgId" || name === "X-Org-Id";

function inputFor(api, { schema, required }) {
  const { type, enum: values, default: usual, examples } = resolve(api, schema);
  const choices = values ?? (type === "boolean" ? ["true", "false"] : undefined);
  if (!choices)
    return element("input", {
      placeholder: usual === undefined ? examples && `e.g. ${examples[0]}` : `default: ${usual}`,
      autocomplete: "off",
      spellcheck: "false",
      inputmode: type === "integer" ? "numeric" : undefined,
    });
  return element(
    "select",
    {},
    required ? undefined : element("option", { value: "" }, usual === undefined ? "" : `default: ${usual}`),
    ...choices.map((value) => element("option", {}, String(value))),
  );
}

/** JSON and CSV are text that starts with the example; everything else is a file. */
function bodyInput({ content, required }) {
  const types = Object.keys(content);
  const type = types.find((one) => /json|^text\//.test(one));
  const label = (...children) => element("label", {}, element("span", {}, "Body", required ? " *" : ""), ...children);
  if (!type) {
    const input = element("input", { type: "file", accept: types.join(",") });
    const typeOf = ({ files: [file] }) => (file && types.includes(file.type) ? file.type : types.at(-1));
    return { row: label(input), type: () => typeOf(input), payload: () => input.files[0], text: "@FILE" };
  }
  const { example, examples } = content[type];
  const given = example ?? Object.values(examples ?? {})[0]?.value;
  const text = typeof given === "string" ? given : JSON.stringify(given, null, 2);
  const input = element("textarea", { rows: Math.min(16, text.split("\n").length + 1), spellcheck: "false" });
  input.value = text;
  return { row: label(input), type: () => type, payload: () => input.value || undefined };
}

const filled = (rows, place) => rows.filter((row) => row.in === place && row.input.value.trim() !== "");

function address(path, rows) {
  const whole = path.replace(/\{(\w+)\}/g, (template, name) => {
    const value = rows.find((row) => row.in === "path" && row.name === name)?.input.value.trim();
    return value ? encodeURIComponent(value) : template;
  });
  const query = new URLSearchParams(filled(rows, "query").map(({ name, input }) => [name, input.value.trim()]));
  return query.size > 0 ? `${whole}?${query}` : whole;
}

function sent(rows, content) {
  const payload = content?.payload();
  const own = filled(rows, "header").map(({ name, input }) => [name, input.value.trim()]);
  return { headers: { ...Object.fromEntries(own), ...(payload && { "content-type": content.type() }) }, payload };
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The credential is a variable, so that it is not copied by accident. */
function curlOf(method, path, rows, content, kind) {
  const { headers, payload } = sent(rows, content);
  const data = content?.text ?? payload;
  const variable = kind === "apiKey" ? "$KEY" : "$TOKEN";
  return [
    `curl -X ${method} ${quoted(location.origin + path)}`,
    ...(kind === "open" ? [] : [`-H "Authorization: Bearer ${variable}"`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(data ? [`--data-binary ${quoted(data)}`] : []),
  ].join(" \\\n  ");
}

let saved;

async function answerOf(response, took) {
  if (response.type === "opaqueredirect") return [element("p", {}, "Redirects to another address.")];
  const type = response.headers.get("content-type") ?? "";
  const blob = type.startsWith("text/event-stream") ? undefined : await response.blob();
  const facts = [`${Math.round(took)} ms`, ...(blob ? [`${blob.size} bytes`] : [])].join(", ");
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  return [
    element(
      "p",
      { class: "facts" },
      element("span", { class: response.ok ? "status good" : "status bad" }, String(response.status)),
      ` ${facts}`,
    ),
    element(
      "details",
      { class: "later" },
      element("summary", {}, "Headers"),
      element("pre", { tabindex: "0" }, headers),
    ),
    ...(blob === undefined ? [followed(response)] : []),
    ...(blob === undefined || blob.size === 0 ? [] : [await shown(blob, type)]),
  ];
}

/** Shows what a stream sends, while it is on the page. */
function followed({ body }) {
  const place = element("pre", { class: "body", tabindex: "0" });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const follow = async () => {
    await new Promise(requestAnimationFrame);
    for (let length = 0; place.isConnected && length < LONGEST; ) {
      const { done, value } = await reader.read();
      if (done) return;
      place.append(value);
      length += value.length;
    }
    await reader.cancel();
  };
  follow().catch(() => place.append("\n(The connection was closed.)"));
  return place;
}

async function shown(blob, type) {
  if (!/json|xml|^text\//.test(type) || blob.size > LONGEST) {
    if (saved) URL.revokeObjectURL(saved);
    saved = URL.createObjectURL(new Blob([blob], { type: "application/octet-stream" }));
    return element("p", {}, element("a", { href: saved, download: "response" }, `Save the response (${type})`));
  }
  const text = await blob.text();
  const pretty = type.startsWith("application/json") ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return element("pre", { class: "body", tabindex: "0" }, pretty);
}
