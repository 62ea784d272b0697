/** The tags of what was read: each resource knows which state of it the server sent. */
const tags = new WeakMap<object, string>();

/** @param body the answer of a GET */
export function keepTag<Read>(body: Read, { headers }: Response): Read {
  const data: unknown = typeof body === "object" && body !== null && "data" in body ? body.data : undefined;
  const tag = headers.get("etag");
  if (typeof data === "object" && data !== null && tag !== null) tags.set(data, tag);
  return body;
}

/** `undefined` for what came in a list, or from elsewhere. */
export const tagOf = (resource: object): string | undefined => tags.get(resource);
