import { text } from "../../../http/fields.ts";

const MAX = 120;
const name = text(MAX);

/** What to call somebody: what the provider calls them, as far as it is a name by our rules, or the mailbox's name. */
export function nameOf(given: string | undefined, email: string): string {
  const oneLine = (given ?? "")
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  // By whole characters: half of one is no text.
  const cut = Array.from(oneLine).reduce(
    (kept, character) => ((kept + character).length > MAX ? kept : kept + character),
    "",
  );
  const cleaned = name.safeParse(cut);
  return cleaned.success ? cleaned.data : email.split("@", 1).join("");
}
