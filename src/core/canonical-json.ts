/**
 * Returns the canonical JSON of a value (RFC 8785): the same bytes for equal values, whoever writes them. Names are sorted by
 * UTF-16 code units; numbers and strings have JavaScript's own form, which the RFC adopts. Undefined properties are left out.
 *
 * @throws TypeError JSON does not have the value: NaN, an infinity, a lone surrogate, undefined, a function, a bigint
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  const isText = typeof value === "string" && value.isWellFormed();
  const isNumber = typeof value === "number" && Number.isFinite(value);
  if (isText || isNumber || typeof value === "boolean" || value === null) return JSON.stringify(value);
  throw new TypeError(`JSON has no such ${typeof value}.`);
}
