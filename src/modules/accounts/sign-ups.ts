/** Who may make an account or an organization without an invite, as the operator has set it. */
import { forbidden } from "../../core/errors.ts";
import { organizations } from "../../identity/identity.tables.ts";
import type { Reader } from "../../storage/store.ts";
import type { SignUpSetting } from "./sign-up-setting.ts";

export async function isSignUpOpen(reader: Reader<"control">, setting: SignUpSetting): Promise<boolean> {
  if (setting !== "first") return setting === "open";
  const found = await reader.select({ id: organizations.id }).from(organizations).limit(1);
  return found.length === 0;
}

/** Call it before a password is hashed, and again in the transaction: of two first sign-ups, one is the first. @throws FORBIDDEN */
export async function requireOpenSignUp(reader: Reader<"control">, setting: SignUpSetting): Promise<void> {
  if (!(await isSignUpOpen(reader, setting))) throw signUpClosed();
}

export const signUpClosed = () =>
  forbidden(
    "sign_up_closed",
    "Nobody signs up here by themself. Ask your school for an invite, or the operator of this server for a new school.",
  );
