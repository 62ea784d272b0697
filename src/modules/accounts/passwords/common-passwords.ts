/** The passwords that most people choose, and so the first that anybody tries. */
import { dictionary } from "@zxcvbn-ts/language-common";

let known: ReadonlySet<string> | undefined;

/** How passwords are compared here: two spellings of one, in letters of any case, are one. */
const plain = (password: string) => password.normalize("NFKC").toLowerCase();

/** Whether a password is among the 49,233 most common. The set is made at the first question. */
export function isCommon(password: string): boolean {
  known ??= new Set((dictionary["passwords-common"] ?? []).map((common) => plain(String(common))));
  return known.has(plain(password));
}
