/**
 * Returns the parameters of an address as texts, and as a list of texts what is given more than once. Elysia's own parser
 * splits a value at its commas, and reads one in brackets or braces as JSON.
 */
export function parseQuery(url: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(url.slice(url.indexOf("?") + 1))) {
    const before = query[name];
    if (before === undefined) query[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else query[name] = [before, value];
  }
  return query;
}
