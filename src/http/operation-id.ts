/**
 * The name of an operation in generated clients: a verb, then the resource. `POST /orgs/:orgId/flights/:flightId/approve` is
 * `approveFlight`; the verbs of resources are `list`, `get`, `add`, `change` and `delete`.
 */

interface Named {
  method: string;
  path: string;
  /** Whether it responds with several resources. */
  lists: boolean;
}

/** How paths begin that say nothing about the resource. */
const surface = /^\/(orgs\/:orgId\/(integrations\/)?|api\/v1\/|auth\/)/;

/** Derives the id from the path. A route whose path has no fitting verb names its own. */
export function operationIdOf({ method, path, lists }: Named): string {
  const parts = path.replace(surface, "/").split("/").filter(Boolean);
  const last = parts.at(-1) ?? "root";
  if (method !== "POST") {
    const verb = { GET: lists ? "list" : "get", PATCH: "change", DELETE: "delete" }[method] ?? method.toLowerCase();
    return camel([verb, ...resource(parts)]);
  }
  if (isPlural(last)) return camel(["add", ...resource([...parts, ":id"])]);
  return camel([...last.split("-"), ...resource(parts.slice(0, -1))]);
}

/** Returns the words of a path without its parameters: `["aircraft", "defect"]` of `aircraft/:aircraftId/defects/:defectId`. */
const resource = (parts: readonly string[]): string[] =>
  parts.flatMap((part, at) => {
    if (part.startsWith(":")) return [];
    return (parts[at + 1]?.startsWith(":") ? singular(part) : part).split("-");
  });

/** Plurals that do not end in `s`, and words in `s` that are their own singular. */
const singulars: Readonly<Record<string, string>> = {
  aircraft: "aircraft",
  people: "person",
  hours: "hours",
  series: "series",
};

const isPlural = (word: string) => word in singulars || word.endsWith("s");

const singular = (word: string) =>
  singulars[word] ??
  word
    .replace(/ies$/, "y")
    .replace(/(?<=sh|ch|ss|x)es$/, "")
    .replace(/s$/, "");

const camel = (words: readonly string[]) =>
  words
    .map((word) => word.replace(/\W/g, ""))
    .map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("");
