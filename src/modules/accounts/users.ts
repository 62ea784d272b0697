/** Lookup and insertion of accounts. */
import { eq } from "drizzle-orm";
import type { Instant } from "../../core/clock.ts";
import { conflict, notFound } from "../../core/errors.ts";
import { newId, type UserId } from "../../core/ids.ts";
import type { Language } from "../../core/languages.ts";
import { users } from "../../identity/identity.tables.ts";
import { audit } from "../../storage/audit.ts";
import type { Context } from "../../storage/context.ts";
import { resource } from "../../storage/shape.ts";
import type { Reader, Tx } from "../../storage/store.ts";
import { type User, user } from "./accounts.shapes.ts";

/** The fields of an account that other verbs use. */
export interface Account {
  id: UserId;
  email: string;
  name: string;
  language: Language;
}

/** Returns the account as its owner sees it. @throws NOT_FOUND */
export const findUser = (reader: Reader<"control">, id: UserId): Promise<User> =>
  resource(reader, user, { from: users, where: eq(users.id, id) });

/** @param email trimmed and in lower case, as the `email` schema leaves it */
export async function findAccount(
  reader: Reader<"control">,
  email: string,
): Promise<typeof users.$inferSelect | undefined> {
  const [row] = await reader.select().from(users).where(eq(users.email, email));
  return row;
}

/** For the operator only: the message reveals that the address has no account. @throws NOT_FOUND */
export async function requireAccount(reader: Reader<"control">, email: string): Promise<typeof users.$inferSelect> {
  const account = await findAccount(reader, email);
  if (!account) throw notFound(`There is no account with the e-mail address ${email}.`);
  return account;
}

export const emailTaken = () => conflict("email_taken", "There is already an account with this e-mail address.");

interface NewUser {
  /** By default a new one. */
  id?: UserId;
  email: string;
  name: string;
  language: Language;
  /** `null` for an account that signs in through providers only. */
  passwordHash: string | null;
  /** Set if the ownership of the address is already verified. */
  emailVerifiedAt?: Instant;
}

/** Inserts an account. This alone does not verify the address. @throws CONFLICT the address has an account, even one inserted concurrently */
export async function insertUser(
  tx: Tx<"control">,
  context: Pick<Context, "actor" | "requestId" | "clock">,
  { id = newId<"user">(context.clock), email, name, language, passwordHash, emailVerifiedAt }: NewUser,
): Promise<Account> {
  const account = { id, email, name, language };
  const made = await tx
    .insert(users)
    .values({ ...account, password_hash: passwordHash, email_verified_at: emailVerifiedAt ?? null, created_at: tx.now })
    .onConflictDoNothing({ target: users.email })
    .returning({ id: users.id });
  if (made.length === 0) throw emailTaken();
  await audit(tx, context, "user.created", {
    subject: { kind: "user", id: account.id },
    after: { email, name, language },
  });
  return account;
}
