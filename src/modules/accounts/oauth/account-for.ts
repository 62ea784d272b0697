/** Whose account it is that somebody at a provider signs in to. */
import { and, eq } from "drizzle-orm";
import { refused } from "../../../core/errors.ts";
import { email as emailField } from "../../../http/fields.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { sessions, users } from "../accounts.tables.ts";
import { type NoticePost, postNotice } from "../email/notices.ts";
import { isOpen } from "../sessions/authenticate-session.ts";
import { actorOf } from "../sessions/sessions.ts";
import { type Account, findAccount, insertUser } from "../users.ts";
import type { Beginner } from "./flows.ts";
import { nameOf } from "./name-of.ts";
import { identities } from "./oauth.tables.ts";
import type { Person } from "./provider.ts";

interface Arrival {
  provider: string;
  person: Person;
  /** Who was signed in when it began. */
  beginner: Beginner | undefined;
}

type About = Pick<Context, "actor" | "requestId" | "clock"> & NoticePost;
type AccountRow = typeof users.$inferSelect;

/**
 * The account, linked to the person at the provider if it was not yet: the one linked before; else that of whoever was
 * signed in when it began; else the one with the person's e-mail address, if this provider made it; else a new one. A
 * provider's word for an address makes nobody the owner of an account that came about in another way: whoever has that
 * signs in to it and links.
 *
 * @throws UNAUTHORIZED the account is disabled; the session that began it is over; the person is linked to somebody
 *   else; the provider does not vouch for the address; the address has an account that came about in another way
 */
export async function accountFor(tx: Tx<"control">, context: About, arrival: Arrival): Promise<Account> {
  const { person, beginner } = arrival;
  const known = await linkedAccount(tx, arrival);
  if (beginner) {
    const own = await requireStillSignedIn(tx, beginner);
    if (known && known.id !== own.id)
      throw refused("linked_elsewhere", "Another account here is linked to this one at the provider.");
    if (known) return known;
    const by = { ...context, actor: actorOf(own, beginner.sessionId) };
    return link(tx, by, arrival, own, { madeAccount: false });
  }
  if (known) return enabled(known);

  const email = emailField.safeParse(person.email);
  if (!email.success || !person.emailVerified)
    throw refused("unverified", "The provider does not vouch for an e-mail address of yours.");
  const existing = await findAccount(tx, email.data);
  if (!existing) {
    const made = { email: email.data, name: nameOf(person.name, email.data) };
    const account = await insertUser(tx, context, { ...made, passwordHash: null, emailVerifiedAt: tx.now });
    return link(tx, context, arrival, account, { madeAccount: true });
  }
  if (!(await madeThrough(tx, arrival, existing))) {
    const message = "This e-mail address has an account. Sign in to it, and link it to the provider from there.";
    throw refused("account_exists", message);
  }
  return link(tx, context, arrival, enabled(existing), { madeAccount: false });
}

async function linkedAccount(
  reader: Reader<"control">,
  { provider, person: { issuer, subject } }: Arrival,
): Promise<AccountRow | undefined> {
  const [row] = await reader
    .select({ account: users })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.user_id))
    .where(and(isFrom(provider, issuer), eq(identities.subject, subject)));
  return row?.account;
}

/** The name alone will not do: what one provider called somebody says nothing about whom another calls so. */
const isFrom = (provider: string, issuer: string) =>
  and(eq(identities.provider, provider), eq(identities.issuer, issuer));

/** A link made by whoever stole a session must not outlive the session: it has to be open at the end as well. */
async function requireStillSignedIn(tx: Tx<"control">, { userId, sessionId }: Beginner): Promise<AccountRow> {
  const [row] = await tx
    .select({ account: users, session: sessions })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(and(eq(sessions.id, sessionId), eq(sessions.user_id, userId)));
  if (!row || !isOpen(row, tx.now)) {
    throw refused("session_over", "The session that began this is over. Sign in again.");
  }
  return row.account;
}

function enabled(account: AccountRow): AccountRow {
  if (account.disabled_at !== null) throw refused("linked_account_disabled", "This account is disabled.");
  return account;
}

async function madeThrough(
  reader: Reader<"control">,
  { provider, person: { issuer } }: Arrival,
  { id }: Account,
): Promise<boolean> {
  const rows = await reader
    .select({ subject: identities.subject })
    .from(identities)
    .where(and(eq(identities.user_id, id), isFrom(provider, issuer), eq(identities.made_account, true)));
  return rows.length > 0;
}

async function link(
  tx: Tx<"control">,
  context: About,
  { provider, person: { issuer, subject } }: Arrival,
  account: Account,
  { madeAccount }: { madeAccount: boolean },
): Promise<Account> {
  const made = { provider, issuer, subject, user_id: account.id, made_account: madeAccount, created_at: tx.now };
  await tx.insert(identities).values(made);
  await audit(tx, context, "identity.linked", {
    subject: { kind: "user", id: account.id },
    after: { provider, issuer, subject, made_account: madeAccount },
  });
  if (!madeAccount) await postNotice(tx, context, { userId: account.id, notice: "provider_linked" });
  return account;
}
