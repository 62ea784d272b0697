import type { Issue } from "../core/errors.ts";
import { noSuchField, segment } from "./validation-issues.ts";

/**
 * Returns an issue for each key `__proto__`. No schema has such a field, but zod's records skip it, and a record that
 * replaces stored entries would then be read as empty.
 */
export function prototypeKeys(value: unknown, path: string, found: Issue[] = []): Issue[] {
  if (typeof value !== "object" || value === null) return found;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "__proto__")
      found.push({
        path: `${path}.${key}`,
        ...noSuchField,
        declared: path,
      });
    else if (typeof inner === "object") prototypeKeys(inner, `${path}.${segment(key)}`, found);
  }
  return found;
}
