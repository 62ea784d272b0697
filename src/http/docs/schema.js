// Shows a JSON Schema as a list of its fields. What a field contains is made when a reader opens it, since schemas may contain
// themselves.
import { element, inline } from "./elements.js";

/** Returns the node that a `$ref` names. */
export function resolve(api, node) {
  if (typeof node?.$ref !== "string") return node;
  const found = node.$ref
    .slice(2)
    .split("/")
    .reduce((at, key) => at?.[key], api);
  return resolve(api, { ...found, ...(node.description && { description: node.description }) });
}

const isNull = ({ type }) => type === "null";

/** Returns the schema without its alternative `null`, with the fields of all members of an `allOf`. */
function plain(api, schema) {
  const { anyOf, allOf, ...own } = resolve(api, schema);
  if (allOf) return mergeAll(api, own, allOf);
  const options = anyOf?.filter((option) => !isNull(option)) ?? [];
  const nullable = anyOf?.some(isNull);
  if (options.length === 1) return { ...plain(api, options[0]), ...own, nullable };
  return { ...own, ...(anyOf && { options }), nullable };
}

function mergeAll(api, own, members) {
  const all = { ...own, properties: {}, required: [...(own.required ?? [])] };
  for (const member of members.map((one) => plain(api, one))) {
    for (const [name, field] of Object.entries(member.properties ?? {}))
      all.properties[name] = all.properties[name] ? { allOf: [all.properties[name], field] } : field;
    all.required.push(...(member.required ?? []));
    all.type ??= member.type;
    if (member.enum) all.enum = member.enum;
    all.description ??= member.description;
  }
  if (Object.keys(all.properties).length === 0) delete all.properties;
  return all;
}

/** The words for a type: `list of uuid, or null`. */
function typeOf(api, schema) {
  const { type, format, items, options, nullable } = plain(api, schema);
  const types = Array.isArray(type) ? type.filter((one) => one !== "null") : [type];
  const name = () => {
    if (options) return [...new Set(options.map((option) => typeOf(api, option)))].join(" or ");
    if (types[0] === "array") return `list of ${typeOf(api, items ?? {})}`;
    if (types[0] === "string" && format) return format;
    return types.filter(Boolean).join(" or ") || "anything";
  };
  return `${name()}${nullable || (Array.isArray(type) && type.includes("null")) ? ", or null" : ""}`;
}

/** Returns the objects in a schema that have fields, also those in its lists. */
function objectsIn(api, schema) {
  const { properties, items, options, additionalProperties } = plain(api, schema);
  if (options) return options.flatMap((option) => objectsIn(api, option));
  if (items) return objectsIn(api, items);
  if (properties) return [plain(api, schema)];
  const hasValues = typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0;
  return hasValues ? [{ properties: { "any name": additionalProperties } }] : [];
}

const range = (least, most, unit) => {
  if (least === undefined && most === undefined) return undefined;
  if (least === most) return `${least}${unit}`;
  if (least === undefined) return `at most ${most}${unit}`;
  return most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`;
};

const safe = (bound) => (Math.abs(bound) === Number.MAX_SAFE_INTEGER ? undefined : bound);

/** The limits of a value, in words. */
function limitsOf({ minimum, maximum, minLength, maxLength, minItems, maxItems }) {
  return [
    range(safe(minimum), safe(maximum), ""),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " items"),
  ].filter(Boolean);
}

/** Shows type, limits, description, values and example of a parameter or a field. */
export function about(api, schema, { description, required } = {}) {
  const { description: own, enum: given, const: only, examples, items, ...rest } = plain(api, schema);
  const values = only === undefined ? (given ?? (items && plain(api, items).enum)) : [only];
  const words = [typeOf(api, schema), ...limitsOf(rest)].join(", ");
  const text = description ?? own;
  const [first] = values ? [] : (examples ?? []);
  const example = typeof first === "string" || first === undefined ? first : JSON.stringify(first);
  return [
    element("span", { class: "type" }, words),
    required ? element("span", { class: "required" }, "required") : undefined,
    text ? element("p", {}, inline(text)) : undefined,
    values &&
      element("p", { class: "values" }, ...values.flatMap((value) => [element("code", {}, String(value)), " "])),
    rest.default === undefined ? undefined : element("p", {}, "Default: ", element("code", {}, String(rest.default))),
    example && example.length <= 60
      ? element("p", { class: "example" }, "Example: ", element("code", {}, example))
      : undefined,
  ].filter(Boolean);
}

/** Shows the fields of a schema, or of each of its alternatives. */
export function fieldsOf(api, schema) {
  const objects = objectsIn(api, schema);
  if (objects.length === 0) return [element("p", {}, ...about(api, schema))];
  return objects.flatMap((object, at) => [
    at > 0 ? element("p", { class: "or" }, "or") : undefined,
    element(
      "ul",
      { class: "fields" },
      ...Object.entries(object.properties).map(([name, field]) => fieldRow(api, name, field, object.required)),
    ),
  ]);
}

function fieldRow(api, name, schema, required) {
  const inner = objectsIn(api, schema);
  const row = element(
    "li",
    {},
    element("code", { class: "name" }, name),
    ...about(api, schema, { required: required?.includes(name) }),
  );
  if (inner.length > 0) row.append(later("Fields", () => fieldsOf(api, schema)));
  return row;
}

/** A part that is made when it is first opened. */
export function later(title, make, { open = false } = {}) {
  const part = element("details", { class: "later" }, element("summary", {}, title));
  const fill = () => part.childElementCount === 1 && part.append(...make().filter(Boolean));
  part.addEventListener("toggle", fill);
  if (open) {
    fill();
    part.open = true;
  }
  return part;
}
