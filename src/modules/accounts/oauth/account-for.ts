/** Finds, links or creates the account of a person who signs in through a provider. */
import { and, eq } from "drizzle-orm";
import { cutText } from "../../../core/cut-text.ts";
import { refused } from "../../../core/errors.ts";
import type { Language } from "../../../core/languages.ts";
import { email as emailField, text } from "../../../http/fields.ts";
import { users } from "../../../identity/identity.tables.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import { ask } from "../../../storage/occasions.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { isInvited } from "../accounts.occasions.ts";
import { sessions } from "../accounts.tables.ts";
import { mailNotice, type NoticeMailer } from "../email/notices.ts";
import { isOpen } from "../sessions/authenticate-session.ts";
import { actorOf } from "../sessions/sessions.ts";
import type { SignUpSetting } from "../sign-up-setting.ts";
import { isSignUpOpen, signUpClosed } from "../sign-ups.ts";
import { type Account, findAccount, insertUser } from "../users.ts";
import type { Beginner } from "./flows.ts";
import { identities } from "./oauth.tables.ts";
import type { Person } from "./provider.ts";

interface ProviderSignIn {
  provider: string;
  person: Person;
  /** Of the browser, for a new account. */
  language: Language;
  /** The account that was signed in when the flow started, if any. */
  beginner: Beginner | undefined;
}

type LinkContext = Pick<Context, "actor" | "requestId" | "clock"> & NoticeMailer & { signUp: SignUpSetting };
type AccountRow = typeof users.$inferSelect;

/**
 * Returns the account, linked to the person at the provider: the account already linked; otherwise the one signed in when
 * the flow started; otherwise the one with the person's e-mail address, if it was created through this provider; otherwise
 * a new one. A verified address at the provider gives no access to an account that was created in another way: its owner
 * signs in and links the provider.
 *
 * @throws FORBIDDEN    the person is unknown here, nobody may sign up, and the address is not invited
 * @throws UNAUTHORIZED the account is disabled; the session that started the flow has ended; the person is linked to
 *   another account; the provider has not verified the address; the address has an account created in another way
 */
export async function accountFor(tx: Tx<"control">, context: LinkContext, signIn: ProviderSignIn): Promise<Account> {
  const { person, language, beginner } = signIn;
  const known = await linkedAccount(tx, signIn);
  if (beginner) {
    const own = await requireStillSignedIn(tx, beginner);
    if (known && known.id !== own.id)
      throw refused("linked_elsewhere", "This account at the provider is already linked to another account.");
    if (known) return known;
    const by = { ...context, actor: actorOf(own, beginner.sessionId) };
    return link(tx, by, signIn, own, { madeAccount: false });
  }
  if (known) return enabled(known);

  const email = emailField.safeParse(person.email);
  if (!email.success || !person.emailVerified)
    throw refused(
      "unverified",
      "The provider has no verified e-mail address for you. Verify it there, then try again.",
    );
  const existing = await findAccount(tx, email.data);
  if (!existing) {
    await requireWelcome(tx, context, email.data);
    const made = { email: email.data, name: nameOf(person.name, email.data) };
    const account = await insertUser(tx, context, { ...made, language, passwordHash: null, emailVerifiedAt: tx.now });
    return link(tx, context, signIn, account, { madeAccount: true });
  }
  if (!(await isCreatedThrough(tx, signIn, existing))) {
    const message = "This e-mail address already has an account. Sign in to it, then link the provider.";
    throw refused("account_exists", message);
  }
  return link(tx, context, signIn, enabled(existing), { madeAccount: false });
}

/** @throws FORBIDDEN nobody may sign up, and the address is not invited */
async function requireWelcome(tx: Tx<"control">, { signUp }: LinkContext, email: string): Promise<void> {
  if (await isSignUpOpen(tx, signUp)) return;
  const invited = await ask(tx, isInvited, { email, now: tx.now });
  if (!invited.includes(true)) throw signUpClosed();
}

async function linkedAccount(
  reader: Reader<"control">,
  { provider, person: { issuer, subject } }: ProviderSignIn,
): Promise<AccountRow | undefined> {
  const [row] = await reader
    .select({ account: users })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.user_id))
    .where(and(isFrom(provider, issuer), eq(identities.subject, subject)));
  return row?.account;
}

/** Compares the issuer too: the operator may configure another provider under the same name, with other subjects. */
const isFrom = (provider: string, issuer: string) =>
  and(eq(identities.provider, provider), eq(identities.issuer, issuer));

/** The session must still be open: a stolen session that has ended must not add a link. */
async function requireStillSignedIn(tx: Tx<"control">, { userId, sessionId }: Beginner): Promise<AccountRow> {
  const [row] = await tx
    .select({ account: users, session: sessions })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(and(eq(sessions.id, sessionId), eq(sessions.user_id, userId)));
  if (!row || !isOpen(row, tx.now)) {
    throw refused("session_over", "The session that started this has ended. Sign in again.");
  }
  return row.account;
}

function enabled(account: AccountRow): AccountRow {
  if (account.disabled_at !== null) throw refused("linked_account_disabled", "This account is disabled.");
  return account;
}

async function isCreatedThrough(
  reader: Reader<"control">,
  { provider, person: { issuer } }: ProviderSignIn,
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
  context: LinkContext,
  { provider, person: { issuer, subject } }: ProviderSignIn,
  account: Account,
  { madeAccount }: { madeAccount: boolean },
): Promise<Account> {
  const made = { provider, issuer, subject, user_id: account.id, made_account: madeAccount, created_at: tx.now };
  await tx.insert(identities).values(made);
  await audit(tx, context, "identity.linked", {
    subject: { kind: "user", id: account.id },
    after: { provider, issuer, subject, made_account: madeAccount },
  });
  if (!madeAccount) await mailNotice(tx, context, { userId: account.id, notice: "provider_linked" });
  return account;
}

const MAX_NAME = 120;
const nameField = text(MAX_NAME);

/** Returns the name that the provider gave if it is valid here, otherwise the part of the e-mail address before the @. */
function nameOf(given: string | undefined, email: string): string {
  const oneLine = (given ?? "")
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const cleaned = nameField.safeParse(cutText(oneLine, MAX_NAME));
  return cleaned.success ? cleaned.data : email.split("@", 1).join("");
}
