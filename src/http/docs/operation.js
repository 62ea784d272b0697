// The details of an operation: what it takes, what it responds with, and the form that sends it.
import { element, prose } from "./elements.js";
import { requestForm } from "./request.js";
import { about, fieldsOf, later, resolve } from "./schema.js";

const credentials = {
  session: "Takes a session: sign in, or send its access token as `Authorization: Bearer …`.",
  apiKey: "Takes an API key as `Authorization: Bearer …`, with `X-Org-Id`.",
  optional: "Takes a session, and works without one.",
  open: "Takes no credential.",
};

/** @returns `session`, `apiKey`, `optional` or `open` */
function credentialOf(api, { security = api.security }) {
  const names = security.map((one) => Object.keys(one)[0]);
  if (names.includes("apiKey")) return "apiKey";
  if (!names.includes("session")) return "open";
  return names.includes(undefined) ? "optional" : "session";
}

/** Finds an operation or a webhook in the document. */
export function findOperation(api, id) {
  for (const [paths, isEvent] of [
    [api.paths, false],
    [api.webhooks ?? {}, true],
  ])
    for (const [path, methods] of Object.entries(paths))
      for (const [method, operation] of Object.entries(methods))
        if (operation.operationId === id) return { path, method: method.toUpperCase(), isEvent, operation };
  return undefined;
}

export function operationDetails(api, { path, method, isEvent, operation }) {
  const parameters = (operation.parameters ?? []).map((one) => resolve(api, one));
  const credential = credentialOf(api, operation);
  const text = element(
    "div",
    { class: "text" },
    ...prose(operation.description),
    ...(isEvent ? [] : prose(credentials[credential])),
    parameters.length > 0 ? parameterList(api, parameters) : undefined,
    ...bodyParts(api, operation.requestBody),
    isEvent ? undefined : responseParts(api, operation.responses),
    permanentLink(operation.operationId),
  );
  const side = isEvent
    ? exampleOf(operation.requestBody)
    : requestForm({ path, method, parameters, body: operation.requestBody, credential, api });
  return element("div", { class: "details" }, text, side);
}

const permanentLink = (id) =>
  element("p", { class: "link" }, element("a", { href: `#${id}` }, "Link to this operation"), ` ${id}`);

const parameterList = (api, parameters) =>
  element(
    "section",
    {},
    element("h3", {}, "Parameters"),
    element(
      "ul",
      { class: "fields" },
      ...parameters.map(({ name, in: place, schema, description, required }) =>
        element(
          "li",
          {},
          element("code", { class: "name" }, name),
          element("span", { class: "place" }, place),
          ...about(api, schema, { description, required }),
        ),
      ),
    ),
  );

function bodyParts(api, body) {
  if (!body) return [];
  const [[, media]] = Object.entries(body.content);
  const types = Object.keys(body.content).join(", ");
  return [
    element(
      "section",
      {},
      element("h3", {}, "Body ", element("span", { class: "type" }, `${types}${body.required ? "" : ", optional"}`)),
      ...fieldsOf(api, media.schema),
    ),
  ];
}

function responseParts(api, responses) {
  const rows = Object.entries(responses).map(([status, given]) => {
    const { description, content } = resolve(api, given);
    const title = element(
      "span",
      {},
      element("span", { class: status < "400" ? "status good" : "status" }, status),
      ` ${status < "400" ? description : firstLine(description)}`,
    );
    if (!content) return element("p", {}, title);
    return later(title, () => [
      ...(status < "400" ? [] : prose(description)),
      element("p", { class: "type" }, Object.keys(content).join(", ")),
      ...(status < "400" ? fieldsOf(api, Object.values(content)[0].schema) : []),
    ]);
  });
  return element("section", { class: "responses" }, element("h3", {}, "Responses"), ...rows);
}

const firstLine = (text) => text.split("\n")[0].replaceAll("`", "");

const exampleOf = ({ content }) =>
  element(
    "div",
    { class: "side" },
    element("h3", {}, "Example"),
    element("pre", { tabindex: "0" }, JSON.stringify(content["application/json"].example, null, 2)),
  );
