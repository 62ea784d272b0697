import { text } from "../../../http/fields.ts";

const MAX = 120;
const name = text(MAX);

/** Returns the name that the provider gave if it is valid here, otherwise the part of the e-mail address before the @. */
export function nameOf(given: string | undefined, email: string): string {
  const oneLine = (given ?? "")
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  // Cut between characters: half a surrogate pair is not valid Unicode.
  const cut = Array.from(oneLine).reduce(
    (kept, character) => ((kept + character).length > MAX ? kept : kept + character),
    "",
  );
  const cleaned = name.safeParse(cut);
  return cleaned.success ? cleaned.data : email.split("@", 1).join("");
}
