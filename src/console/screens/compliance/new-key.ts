/** The key of a new type, by which records name it: made of its name, and no other type's. */

const letters: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

export function newKey(name: string, taken: readonly string[]): string {
  const plain = name
    .toLowerCase()
    .replace(/[äöüß]/g, (letter) => letters[letter] ?? "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+/, "")
    .slice(0, 35)
    .replace(/_+$/, "");
  const base = plain.length < 2 ? "own_type" : plain;
  let key = base;
  for (let number = 2; taken.includes(key); number += 1) key = `${base}_${number}`;
  return key;
}
