/**
 * Which account is which person. Two kinds of rules ask this:
 *
 * - Nobody does this for themself (`isOrWas`): an account that was linked to the person counts like one that is, otherwise
 *   dropping the link for a minute would be enough.
 * - Only the person does this (`linkTo`, `requireActsAs`): a link that the account has made itself does not count, otherwise
 *   borrowing the person for a minute would be enough.
 */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { UserActor } from "../../core/actor.ts";
import { forbidden } from "../../core/errors.ts";
import type { PersonId, UserId } from "../../core/ids.ts";
import { lookUp } from "../../storage/lookup.ts";
import type { Reader, Value } from "../../storage/store.ts";
import { formerLinks, people } from "./people.tables.ts";

type TenantReader = Reader<"tenant">;

/** An account and an e-mail address that a person has, or had. */
export interface Identity {
  person_id: PersonId;
  user_id: UserId | null;
  email: string | null;
}

/** An account as a rule compares it: of the actor, or of another member. */
export interface Account {
  user_id: UserId;
  email: string;
}

type OfActor = Pick<UserActor, "userId" | "email">;

export const accountOf = ({ userId, email }: OfActor): Account => ({ user_id: userId, email });

/** A person without a linked account is recognized by the e-mail address. */
export const isSame = (account: Account, { user_id, email }: Omit<Identity, "person_id">): boolean =>
  user_id === account.user_id || email === account.email;

/** Returns what people have now, and what they ever had. */
export const identitiesOf = (reader: TenantReader, asked: readonly PersonId[]): Promise<Identity[]> =>
  identities(reader, { asked: JSON.stringify(asked) });

const identity = (id: SQLWrapper, { user_id, email }: Record<"user_id" | "email", SQLWrapper>) =>
  sql`json_object('person_id', ${id}, 'user_id', ${user_id}, 'email', ${email})`;

/** Makes a query for `identitiesOf`. @param ids the people's: a source of rows with a `value` */
export function identitiesIn(ids: SQL) {
  const statement = sql`select json_group_array(json(found)) from (
    select ${identity(people.id, people)} as found
    from ${ids} as wanted cross join ${people} on ${people.id} = wanted.value
    union select ${identity(formerLinks.person_id, formerLinks)}
    from ${ids} as wanted cross join ${formerLinks} on ${formerLinks.person_id} = wanted.value)`;
  return async (reader: TenantReader, values: Record<string, Value>): Promise<Identity[]> => {
    const row = await reader.first(statement, values);
    return JSON.parse(String(row?.[0])) as Identity[];
  };
}

const identities = identitiesIn(sql`json_each(${sql.placeholder("asked")})`);

/** Returns the person to whom an account is linked. */
export async function personOf(reader: TenantReader, userId: UserId): Promise<PersonId | null> {
  const row = await linked(reader, { userId });
  return row?.id ?? null;
}

const linked = lookUp({ id: people.id }, sql`from ${people} where ${people.user_id} = ${sql.placeholder("userId")}`);

/** Returns whether the actor's account is the person's, or ever was. */
export const isOrWas = async (reader: TenantReader, actor: OfActor, person_id: PersonId): Promise<boolean> =>
  (await identitiesOf(reader, [person_id])).some((one) => isSame(accountOf(actor), one));

/** `unconfirmed`: the account has linked itself to the person, who had another account or e-mail address before. */
type Link = "none" | "unconfirmed" | "confirmed";

/** Returns how the actor's account is linked to the person now. */
export async function linkTo(reader: TenantReader, { userId, email }: OfActor, person_id: PersonId): Promise<Link> {
  const row = await reader.first(link, { person_id, userId, email });
  if (row === undefined || row[0] !== 1) return "none";
  return row[1] === 1 ? "confirmed" : "unconfirmed";
}

const account = sql.placeholder("userId");

const link = sql`select ${people.user_id} is ${account},
    ${people.linked_by} is not ${account} or not exists (
      select 1 from ${formerLinks} where ${formerLinks.person_id} = ${people.id}
        and ${formerLinks.user_id} is not ${account} and ${formerLinks.email} is not ${sql.placeholder("email")})
  from ${people} where ${people.id} = ${sql.placeholder("person_id")}`;

/** Returns whether the actor acts as the person. @throws FORBIDDEN the account has linked itself */
export async function requireActsAs(reader: TenantReader, actor: OfActor, person_id: PersonId): Promise<boolean> {
  const found = await linkTo(reader, actor, person_id);
  if (found === "unconfirmed")
    throw forbidden(
      "link_unconfirmed",
      "You linked this person to your account yourself. To act as the person, have another member unlink it and link it again.",
    );
  return found === "confirmed";
}
