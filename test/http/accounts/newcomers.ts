import { asc } from "drizzle-orm";
import type { OrgId, UserId } from "../../../src/core/ids.ts";
import type { Role } from "../../../src/modules/organizations/roles.ts";
import { auditLog } from "../../../src/storage/shared.tables.ts";
import type { Answer, Installation } from "../../support/installation.ts";
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
/** A client address that nobody has used before, so that no limit is in the way. */
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

export async function invite(at: Installation, by: Newcomer, email: string, roles: Role[]): Promise<string> {
  const call = { token: by.token, body: { email, roles } };
  return expectStatus(201, await at.call("POST", `/orgs/${by.orgId}/invites`, call)).body.data.token;
}

export const claim = (at: Installation, token: string, body: object = { password }, by?: Newcomer): Promise<Answer> =>
  at.call("POST", "/auth/org-invites/claim", { body: { token, ...body }, ...(by && { token: by.token }) });

/** Somebody who joins the organization of `by` with a new account. */
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

/** Whether an access token still opens a door. */
export const isLetIn = async (at: Installation, who: Pick<Newcomer, "token" | "orgId">): Promise<boolean> =>
  (await at.call("GET", `/orgs/${who.orgId}`, { token: who.token })).status === 200;

interface Claims {
  sub: UserId;
  org: OrgId | null;
}

export const claimsOf = (accessToken: string): Claims =>
  JSON.parse(Buffer.from(accessToken.split(".")[1] ?? "", "base64url").toString());

export const controlAudit = (at: Installation) =>
  at.storage.control.read((reader) => reader.select().from(auditLog).orderBy(asc(auditLog.seq)));

export const actions = async (at: Installation) => (await controlAudit(at)).map(({ action }) => action);
