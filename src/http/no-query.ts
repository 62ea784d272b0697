import { InvalidInput } from "./input.ts";
import { noSuchParameter, segment } from "./validation-issues.ts";

/** Refuses a query on a route that takes none. @throws VALIDATION_ERROR with each parameter */
export function refuseQuery(url: string): void {
  const start = url.indexOf("?");
  if (start < 0) return;
  const names = new Set(new URLSearchParams(url.slice(start)).keys());
  if (names.size === 0) return;
  throw new InvalidInput(
    [...names].map((name) => ({
      path: `query.${segment(name)}`,
      ...noSuchParameter(name, []),
      declared: "query",
    })),
  );
}
