import { toInstant } from "../../core/clock.ts";
import type { StagedSchool } from "../../storage/move/moves.ts";
import { firstChange, type LinkedPerson, lastCurrency, rolesFor } from "./recovered.queries.ts";

/**
 * What an export would have about a school, made of what its database knows: the name, the time zone and those who are linked to
 * accounts.
 *
 * @param members those who become members, with the roles of their types
 */
export async function partsOfFile(school: StagedSchool, members: readonly LinkedPerson[]) {
  const { name, time_zone } = school.described;
  const created_at = (await school.read(firstChange)) ?? toInstant(new Date(0));
  const currency = (await school.read(lastCurrency)) ?? "EUR";
  const unknown = { kind: "ato", approval_number: null, authority: null, home_icao: null };
  const joining = members.filter(({ types }) => rolesFor(types).length > 0);
  const addresses = joining.map(({ email }) => email);
  // An address has one account: that of the person who was added first.
  const distinct = joining.filter(({ email }, index) => addresses.indexOf(email) === index);
  return {
    accounts: distinct.map(({ user_id, email, name }) => ({
      ...{ id: user_id, email, name, language: "en", disabled_at: null, created_at },
      credentials: null,
    })),
    organizations: {
      organization: { name, ...unknown, time_zone, currency, created_at, updated_at: created_at },
      members: distinct.map(({ user_id, types }) => ({ user_id, roles: rolesFor(types), created_at })),
      former_members: [],
      invites: [],
    },
  };
}
