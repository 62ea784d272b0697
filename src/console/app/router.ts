/** The address of the screen. Filters are part of it, so that a link shows the same. */
import { signal } from "@preact/signals";
import { readArrival } from "./arrival.ts";

interface Place {
  path: string;
  query: URLSearchParams;
}

const here = (): Place => ({
  path: location.pathname.replace(/\/+$/, "") || "/",
  query: new URLSearchParams(location.search),
});

readArrival();
export const place = signal<Place>(here());

/** @param to an address below `/app` @param replace whether the way back skips the present address */
export function go(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  place.value = here();
  if (!replace) scrollTo(0, 0);
}

/** Changes parts of the query, and keeps the rest. An empty value removes a part. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes))
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  go(query.size > 0 ? `${location.pathname}?${query}` : location.pathname, { replace: true });
}

/** Links inside the console change the screen without loading the page anew. */
function onClick(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = event.composedPath().find((one): one is HTMLAnchorElement => one instanceof HTMLAnchorElement);
  if (link?.target !== "" || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname !== "/" && link.pathname !== "/app" && !link.pathname.startsWith("/app/")) return;
  if (link.pathname === location.pathname && link.search === location.search && link.hash !== "") return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}

export function listen(): void {
  addEventListener("popstate", () => {
    readArrival();
    place.value = here();
  });
  addEventListener("click", onClick);
}

export type Parameters = Readonly<Record<string, string>>;

/** Returns the parameters of a path like `/app/people/:personId`; `undefined` if it is another path. */
export function parametersIn(path: string, pattern: string): Parameters | undefined {
  const parts = path.split("/");
  const wanted = pattern.split("/");
  if (parts.length !== wanted.length) return undefined;
  const found: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const want = wanted[index] ?? "";
    if (want.startsWith(":") && part !== "") found[want.slice(1)] = decoded(part);
    else if (want !== part) return undefined;
  }
  return found;
}

/** Addresses may be typed by hand. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
