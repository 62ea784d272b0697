import { badRequest, gone } from "../../../core/errors.ts";
import type { Tenant } from "../../../storage/store.ts";
import { findLinkable, type Linkable } from "../../people/link-account.ts";
import type { StudentInvite } from "./invites.ts";

/** 32 bytes in base64url, as `newToken` makes them. */
const form = /^[A-Za-z0-9_-]{43}$/;

/** @throws BAD_REQUEST it can't be a token, whatever is in the database */
export function requireWellFormed(token: string): void {
  if (!form.test(token)) throw badRequest("Invalid invite token. Copy it from the link, whole.");
}

/** @throws GONE the person was removed since */
export async function requirePerson(tenant: Tenant, { personId }: StudentInvite): Promise<Linkable> {
  const person = await tenant.read((reader) => findLinkable(reader, personId));
  if (!person) throw gone("invited_person_deleted", "The invited person is no longer in the organization's records.");
  return person;
}
