/** Rules for passwords: long and uncommon. Composition rules make passwords weaker (NIST SP 800-63B). */
import { z } from "zod";
import { invalid } from "../../../core/errors.ts";
import { issueCodes } from "../../../core/issues.ts";
import { fault } from "../../../http/schema-fault.ts";
import { commonPasswords } from "./common-passwords.ts";

const MIN = 12;
const MAX = 128;

const hasLength = (password: string) => {
  const { length } = [...password];
  return length >= MIN && length <= MAX;
};

/** The form in which passwords are compared: Unicode spellings and letter case do not matter. */
const folded = (password: string) => password.normalize("NFKC").toLowerCase();

/** Returns whether a password that is long enough is among the 49,233 most common. */
export const isCommon = (password: string): boolean => commonPasswords.has(folded(password));

/** A new password. Counted in characters, not in UTF-16 units. Not trimmed. */
export const newPassword = z
  .string()
  .refine(hasLength, { ...fault("length", { min: MIN, max: MAX }), abort: true })
  .refine((password) => password.isWellFormed(), issueCodes.not_unicode)
  .refine((password) => !isCommon(password), issueCodes.common_password)
  .meta({
    override: { type: "string", format: "password", minLength: MIN, maxLength: MAX },
    description: `${MIN} to ${MAX} characters of any kind; neither the e-mail address nor a common password.`,
    examples: ["correct horse battery"],
  });

/** A password to check. One that is too long to be set is rejected without hashing. */
export const givenPassword = z
  .string()
  .min(1)
  .max(2 * MAX)
  .meta({ format: "password", examples: ["correct horse battery"] });

/**
 * Checks the rule that the schema cannot check: it needs the account.
 *
 * @param field the input's field that holds the password
 * @throws VALIDATION_ERROR
 */
export function requireUsable(password: string, { email }: { email: string }, field = "password"): void {
  if (password.normalize("NFKC").trim().toLowerCase() === email) {
    throw invalid({ path: field, code: "impossible", message: "Must not be the e-mail address." });
  }
}
