import { asc, eq } from "drizzle-orm";
import type { OrgId, UserId } from "../../../src/core/ids.ts";
import { users } from "../../../src/identity/identity.tables.ts";
import type { Role } from "../../../src/identity/roles.ts";
import { identities } from "../../../src/modules/accounts/oauth/oauth.tables.ts";
import { auditLog } from "../../../src/storage/shared.tables.ts";
import type { Answer, Installation } from "../../support/installation.ts";
import { tokenIn } from "../../support/mails.ts";
import { expectStatus, password } from "../../support/school.ts";

export interface Newcomer {
  email: string;
  userId: UserId;
  orgId: OrgId;
  token: string;
  refreshToken: string;
}

export const signUpBody = (email = "olga@example.com") => ({
  email,
  password,
  name: "Olga Owner",
  organization: { name: "Flugschule Egelsbach", kind: "ato" },
});

let addresses = 0;
/** Returns an unused client address, so that no limit applies. */
export const freshAddress = () => `198.51.${Math.floor(++addresses / 250) % 250}.${addresses % 250}`;

export async function signUp(at: Installation, email?: string): Promise<Newcomer> {
  const body = signUpBody(email);
  const { data } = expectStatus(201, await at.call("POST", "/auth/signup-org", { body, from: freshAddress() })).body;
  return {
    email: body.email,
    userId: data.user.id,
    orgId: data.organization.id,
    token: data.tokens.access_token,
    refreshToken: data.tokens.refresh_token,
  };
}

/** Signs up an account without an organization. */
export type Standalone = Omit<Newcomer, "orgId">;

export const signUpAloneBody = (email = "ada@example.com") => ({ email, password, name: "Ada Lindner" });

export async function signUpAlone(at: Installation, email?: string): Promise<Standalone> {
  const body = signUpAloneBody(email);
  const { data } = expectStatus(201, await at.call("POST", "/auth/signup", { body, from: freshAddress() })).body;
  const { access_token: token, refresh_token: refreshToken } = data.tokens;
  return { email: body.email, userId: data.user.id, token, refreshToken };
}

/** Returns whether an access token is still valid. */
export const isSignedIn = async (at: Installation, { token }: { token: string }): Promise<boolean> =>
  (await at.call("GET", "/auth/mfa/recovery-codes", { token })).status === 200;

/** Returns the stored row of an account. */
export async function stored(at: Installation, email: string): Promise<typeof users.$inferSelect> {
  const [row] = await at.storage.control.read((reader) => reader.select().from(users).where(eq(users.email, email)));
  if (!row) throw new Error(`There is no account ${email}.`);
  return row;
}

/** Changes the row of an account directly. */
export const change = (at: Installation, email: string, changed: Partial<typeof users.$inferInsert>) =>
  at.storage.control.write((tx) => tx.update(users).set(changed).where(eq(users.email, email)));

/** Verifies the address of an account, signed in as its owner. */
export async function prove(at: Installation, { email, token }: Standalone): Promise<void> {
  const body = { token: tokenIn(at.mails, email, "verify") };
  expectStatus(200, await at.call("POST", "/auth/email/verify", { token, body }));
}

/** Links an account to a provider. */
export const link = (
  at: Installation,
  userId: UserId,
  more: Partial<Omit<typeof identities.$inferInsert, "userId">> = {},
) => {
  const linked = { provider: "example", issuer: "https://example.com", subject: userId, made_account: false, ...more };
  return at.storage.control.write((tx) =>
    tx.insert(identities).values({ ...linked, user_id: userId, created_at: tx.now }),
  );
};

export const providersOf = (at: Installation, userId: UserId) =>
  at.storage.control.read((reader) => reader.select().from(identities).where(eq(identities.user_id, userId)));

export async function invite(
  at: Installation,
  by: Pick<Newcomer, "orgId" | "token">,
  email: string,
  roles: Role[],
): Promise<string> {
  const call = { token: by.token, body: { email, roles } };
  return expectStatus(201, await at.call("POST", `/orgs/${by.orgId}/invites`, call)).body.data.token;
}

export const claim = (at: Installation, token: string, body: object = { password }, by?: Newcomer): Promise<Answer> =>
  at.call("POST", "/auth/org-invites/claim", {
    body: { token, ...body },
    from: freshAddress(),
    ...(by && { token: by.token }),
  });

/** Joins the organization of `by` with a new account. */
export async function join(at: Installation, by: Newcomer, email: string, roles: Role[]): Promise<Newcomer> {
  const { data } = expectStatus(200, await claim(at, await invite(at, by, email, roles))).body;
  const { access_token: token, refresh_token: refreshToken } = data.tokens;
  const { sub } = claimsOf(token);
  return { email, userId: sub, orgId: by.orgId, token, refreshToken };
}

export const logIn = (at: Installation, email: string, more: object = {}, from = freshAddress()): Promise<Answer> =>
  at.call("POST", "/auth/login", { body: { email, password, ...more }, from });

export const refresh = (at: Installation, token: string): Promise<Answer> =>
  at.call("POST", "/auth/refresh", { body: { refresh_token: token } });

/** Refreshes the tokens, after the clock has moved. */
export async function renewed<Who extends Standalone>(at: Installation, who: Who): Promise<Who> {
  const { access_token: token, refresh_token: refreshToken } = expectStatus(
    200,
    await refresh(at, who.refreshToken),
  ).body;
  return { ...who, token, refreshToken };
}

/** Returns whether an access token is still accepted. */
export const isLetIn = async (at: Installation, who: Pick<Newcomer, "token" | "orgId">): Promise<boolean> =>
  (await at.call("GET", `/orgs/${who.orgId}`, { token: who.token })).status === 200;

interface Claims {
  sub: UserId;
  org: OrgId | null;
}

export const claimsOf = (accessToken: string): Claims =>
  JSON.parse(Buffer.from(accessToken.split(".")[1] ?? "", "base64url").toString());

/** Returns the session of an access token. */
export const sessionIdOf = (accessToken: string): string =>
  JSON.parse(Buffer.from(accessToken.split(".")[1] ?? "", "base64url").toString()).sid;

export const controlAudit = (at: Installation) =>
  at.storage.control.read((reader) => reader.select().from(auditLog).orderBy(asc(auditLog.seq)));

export const actions = async (at: Installation) => (await controlAudit(at)).map(({ action }) => action);
