/** Returns the path of a request, without the query and a slash at its end. */
export function requestPath({ url }: Request): string {
  // After an invalid `Host`, Bun's address has neither scheme nor host.
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  const path = url.slice(start, end === -1 ? undefined : end);
  return path.endsWith("/") ? path.slice(0, -1) : path;
}
