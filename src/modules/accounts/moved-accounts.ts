/** The accounts of a school's members, when the school moves to another installation. */
import { and, eq, isNotNull, ne } from "drizzle-orm";
import { z } from "zod";
import type { UserId } from "../../core/ids.ts";
import { languages } from "../../core/languages.ts";
import { email, idOf } from "../../http/fields.ts";
import { memberships, users } from "../../identity/identity.tables.ts";
import { audit } from "../../storage/audit.ts";
import { type Adoption, movedData, movedInstant, type Taking } from "../../storage/moved-data.ts";
import type { Reader, Tx } from "../../storage/store.ts";
import { platformPermissions } from "./accounts.tables.ts";
import { recoveryCodes, totpEnrollments } from "./mfa/mfa.tables.ts";
import { openTotpSecret, sealTotpSecret } from "./mfa/totp.ts";
import { identities } from "./oauth/oauth.tables.ts";

const Credentials = z.object({
  password_hash: z.string().nullable(),
  totp: z
    .object({
      /** In base64url. */
      secret: z.base64url(),
      created_at: movedInstant,
      confirmed_at: movedInstant.nullable(),
      last_step: z.int().nullable(),
    })
    .nullable(),
  recovery_codes: z.array(
    z.object({ code_hash: z.string(), created_at: movedInstant, used_at: movedInstant.nullable() }),
  ),
  identities: z.array(
    z.object({
      provider: z.string(),
      issuer: z.string(),
      subject: z.string(),
      made_account: z.boolean(),
      created_at: movedInstant,
    }),
  ),
});

const Account = z.object({
  id: idOf<"user">(),
  email,
  name: z.string(),
  language: z.enum(languages),
  disabled_at: movedInstant.nullable(),
  created_at: movedInstant,
  /** Null: its member chooses a new password. */
  credentials: Credentials.nullable(),
});
type Account = z.infer<typeof Account>;

/**
 * An account belongs to its person, not to the school. What signs in to it goes along only if it signs in to nothing else here:
 * otherwise, the other operator could enter the other schools with it. The owner's own export has none at all: an owner must not get
 * hold of what members sign in with.
 *
 * Where it arrives, an account is new, or one with the same id is there, which stays as it is: no export changes an account. The
 * address of a new one is not verified, whatever was verified elsewhere: whoever proves it takes the account over, and what
 * another operator wrote into an export about somebody's address ends with that.
 */
export const movedAccounts = movedData({
  name: "accounts",
  schema: z.array(Account),
  async take(reader, taking) {
    const rows = await reader
      .select({ account: users })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.user_id))
      .where(eq(memberships.org_id, taking.orgId));
    const taken: Account[] = [];
    for (const { account } of rows) {
      const { id, email, name, language, disabled_at, created_at } = account;
      const goes = taking.withCredentials && !(await hasMore(reader, taking, id));
      const credentials = goes ? await credentialsOf(reader, taking, account) : null;
      taken.push({ id, email, name, language, disabled_at, created_at, credentials });
    }
    return taken;
  },
  async put(tx, taken, adoption) {
    for (const account of taken) adoption.accounts.set(account.id, await putAccount(tx, account, adoption));
  },
});

/** Returns whether the account may enter another organization, or the platform. */
async function hasMore(reader: Reader<"control">, { orgId }: Taking, id: UserId): Promise<boolean> {
  const elsewhere = and(eq(memberships.user_id, id), ne(memberships.org_id, orgId));
  return (
    (await reader.$count(memberships, elsewhere)) > 0 ||
    (await reader.$count(platformPermissions, eq(platformPermissions.user_id, id))) > 0
  );
}

async function credentialsOf(
  reader: Reader<"control">,
  { keys }: Taking,
  { id, password_hash }: typeof users.$inferSelect,
): Promise<z.infer<typeof Credentials>> {
  const [enrollment] = await reader.select().from(totpEnrollments).where(eq(totpEnrollments.user_id, id));
  const codes = await reader.select().from(recoveryCodes).where(eq(recoveryCodes.user_id, id));
  const linked = await reader.select().from(identities).where(eq(identities.user_id, id));
  return {
    password_hash,
    totp: enrollment
      ? {
          secret: openTotpSecret(keys.key("sealing"), id, enrollment.secret).toString("base64url"),
          created_at: enrollment.created_at,
          confirmed_at: enrollment.confirmed_at,
          last_step: enrollment.last_step,
        }
      : null,
    recovery_codes: codes.map(({ code_hash, created_at, used_at }) => ({ code_hash, created_at, used_at })),
    identities: linked.map(({ user_id: _, ...identity }) => identity),
  };
}

async function putAccount(tx: Tx<"control">, account: Account, adoption: Adoption) {
  const { id, email, name, language, disabled_at, created_at, credentials } = account;
  const [known] = await tx.select({ id: users.id }).from(users).where(eq(users.id, id));
  if (known) return { email, state: "known" } as const;
  const [other] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email));
  if (other) return { email, state: "other" } as const;
  const password_hash = credentials?.password_hash ?? null;
  const row: typeof users.$inferInsert = { id, email, name, language, disabled_at, created_at, password_hash };
  await tx.insert(users).values(row);
  if (credentials) await putFactors(tx, id, credentials, adoption);
  await audit(tx, adoption, "user.created", { subject: { kind: "user", id }, after: { email, name, language } });
  return { email, state: "made" } as const;
}

async function putFactors(
  tx: Tx<"control">,
  user_id: UserId,
  { totp, recovery_codes, identities: linked }: z.infer<typeof Credentials>,
  { keys }: Adoption,
): Promise<void> {
  if (totp) {
    const secret = sealTotpSecret(keys.key("sealing"), user_id, Buffer.from(totp.secret, "base64url"));
    await tx.insert(totpEnrollments).values({ ...totp, user_id, secret });
  }
  for (const code of recovery_codes)
    await tx
      .insert(recoveryCodes)
      .values({ ...code, user_id, session_id: null })
      .onConflictDoNothing();
  // A person at a provider signs in to one account.
  for (const identity of linked)
    await tx
      .insert(identities)
      .values({ ...identity, user_id })
      .onConflictDoNothing();
}

/** Returns whether anything signs in to the account. Without, its owner gets a link. */
export async function hasSignIn(reader: Reader<"control">, id: UserId): Promise<boolean> {
  const withPassword = and(eq(users.id, id), isNotNull(users.password_hash));
  return (
    (await reader.$count(users, withPassword)) > 0 || (await reader.$count(identities, eq(identities.user_id, id))) > 0
  );
}
