/** Every kind of credential that must be rejected. Each was valid once, or is valid for another caller. */

import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import type { UserId } from "../../../src/core/ids.ts";
import { users } from "../../../src/identity/identity.tables.ts";
import type { Call } from "../../support/installation.ts";
import { expectStatus } from "../../support/school.ts";
import { type Stage, scopesWithout } from "../../support/stage.ts";
import { newSession } from "../accounts/scenery.ts";

/** What is sent instead of the valid credential, by its fault. */
export type BadCredentials = Record<string, Pick<Call, "token" | "org" | "headers">>;

export interface Credentials {
  /** 401 on every route that takes a session. */
  noSession: BadCredentials;
  /** 404 on every route of the school: sessions of users who are not members. */
  notAMember: BadCredentials;
  /** 401 on every route of the public API. */
  noKey: BadCredentials;
}

const HOUR = 3_600_000;
const UNKNOWN_ORG = "01890a5d-0000-7000-8000-000000000000";

export async function credentials(stage: Stage): Promise<Credentials> {
  const { school, stranger } = stage;
  const { token } = school.owner;
  const key = await school.apiKey(...scopesWithout("none"));
  const strangersKey = await stranger.apiKey(...scopesWithout("none"));
  const past = await fromThePast(stage);
  const org = school.orgId;

  return {
    noSession: {
      "no credential": {},
      "an empty credential": { headers: { authorization: "Bearer " } },
      "another scheme": { headers: { authorization: `Basic ${token}` } },
      "a credential that is no token": { token: "not.a.token" },
      "a token signed with another key": { token: forged(token) },
      "a token signed by nobody": { token: unsigned(token) },
      "an expired access token": { token: past.token },
      "a token of a revoked session": { token: await revokedSession(stage) },
      "a token of a disabled account": { token: await disabledAccount(stage) },
      "a refresh token": { token: school.owner.refreshToken },
      "the school's own API key": { token: key, org },
      "another organization's API key": { token: strangersKey, org: stranger.orgId },
    },
    notAMember: {
      "another organization's owner": { token: stranger.owner.token },
      "another organization's owner, naming this one": { token: stranger.owner.token, org },
      "a former member": { token: await formerMember(stage) },
    },
    noKey: {
      "no credential": { org },
      "no credential and no organization": {},
      "a credential that is no key": { token: "svc_pk_", org },
      "a mistyped key": { token: `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`, org },
      "an expired key": { token: past.key, org },
      "a revoked key": { token: await revokedKey(stage), org },
      "a key without its organization": { token: key },
      "a key with a malformed organization": { token: key, org: "nonsense" },
      "a key with an organization that does not exist": { token: key, org: UNKNOWN_ORG },
      "a key with another organization": { token: key, org: stranger.orgId },
      "another organization's key": { token: strangersKey, org },
      "an access token of the owner": { token, org },
    },
  };
}

/** Expired credentials. The clock is set back to make them. */
async function fromThePast(stage: Stage): Promise<{ token: string; key: string }> {
  const { school, installation } = stage;
  installation.clock.advance(-HOUR);
  const token = await newSession(school, school.owner);
  const expires_at = new Date(installation.clock.now().getTime() + HOUR / 2).toISOString();
  const body = { name: "Expired", scopes: scopesWithout("none"), expires_at };
  const created = await school.owner.call("POST", `/orgs/${school.orgId}/integrations/api-keys`, { body });
  installation.clock.advance(HOUR);
  return { token, key: expectStatus(201, created).body.data.token };
}

async function revokedSession({ school, installation }: Stage): Promise<string> {
  const token = await newSession(school, school.owner);
  expectStatus(200, await installation.call("POST", "/auth/logout", { token }));
  return token;
}

async function disabledAccount({ school, installation }: Stage): Promise<string> {
  const { token, userId } = await school.join(["owner"], "Disabled owner");
  await installation.storage.control.write((tx) =>
    tx
      .update(users)
      .set({ disabled_at: tx.now })
      .where(eq(users.id, userId as UserId)),
  );
  return token;
}

async function formerMember({ school }: Stage): Promise<string> {
  const { token, userId } = await school.join(["admin"], "Former admin");
  expectStatus(200, await school.owner.delete(`/members/${userId}`));
  return token;
}

async function revokedKey({ school }: Stage): Promise<string> {
  const body = { name: "Revoked", scopes: scopesWithout("none") };
  const { id, token } = expectStatus(201, await school.owner.post("/integrations/api-keys", body)).body.data;
  expectStatus(200, await school.owner.delete(`/integrations/api-keys/${id}`));
  return token;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const payloadOf = (token: string) => token.split(".")[1] ?? "";

function forged(token: string): string {
  const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${payloadOf(token)}`;
  return `${signed}.${createHmac("sha256", "not the installation's key").update(signed).digest("base64url")}`;
}

const unsigned = (token: string) => `${encode({ alg: "none" })}.${payloadOf(token)}.`;
