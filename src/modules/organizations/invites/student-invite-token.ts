import { badRequest, gone } from "../../../core/errors.ts";
import type { Tenant } from "../../../storage/store.ts";
import { findLinkable, type Linkable } from "../../people/link-account.ts";
import type { StudentInvite } from "./invites.ts";

/** 32 bytes in base64url, as `newToken` creates them. */
const tokenFormat = /^[A-Za-z0-9_-]{43}$/;

/** @throws BAD_REQUEST the text is not a token; the database is not read */
export function requireWellFormed(token: string): void {
  if (!tokenFormat.test(token)) throw badRequest("Invalid invite token. Copy the whole token from the link.");
}

/** @throws GONE the person was deleted */
export async function requirePerson(tenant: Tenant, { person_id }: StudentInvite): Promise<Linkable> {
  const person = await tenant.read((reader) => findLinkable(reader, person_id));
  if (!person) throw gone("invited_person_deleted", "The invited person was deleted from the organization.");
  return person;
}
