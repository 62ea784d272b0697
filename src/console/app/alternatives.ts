/** Joins names of which one is enough. What all begin with is said once: `Class rating SEP or TMG`. */
export function alternatives(names: readonly string[], or: string): string {
  const [first = ""] = names;
  const shared = first.slice(0, first.lastIndexOf(" ") + 1);
  const isShared = names.length > 1 && shared !== "" && names.every((name) => name.startsWith(shared));
  return isShared ? shared + names.map((name) => name.slice(shared.length)).join(or) : names.join(or);
}
