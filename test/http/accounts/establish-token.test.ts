import { describe, expect, test } from "bun:test";
import { sha256 } from "../../../src/core/crypto.ts";
import { memberships } from "../../../src/identity/identity.tables.ts";
import { handoffTokens, sessions } from "../../../src/modules/accounts/accounts.tables.ts";
import { issueHandoff } from "../../../src/modules/accounts/handoff/issue-handoff.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { actions, controlAudit, signUp } from "./newcomers.ts";

const issue = (at: Installation, token: string, body?: unknown) =>
  at.call("POST", "/auth/establish-token", { token, body });

const rows = ({ storage }: Installation) => storage.control.read((reader) => reader.select().from(handoffTokens));

/** Deletes all memberships. */
const standAlone = ({ storage }: Installation) => storage.control.write((tx) => tx.delete(memberships));

describe("POST /auth/establish-token", () => {
  test("returns a token for 60 seconds, and stores its hash only", async () => {
    const at = await newInstallation();
    const { token } = await signUp(at);
    const answer = await issue(at, token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ token: expect.any(String), expires_in: 60, account_type: "org" });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const kept = await rows(at);
    expect(kept.map(({ token_hash: tokenHash, expires_at: expiresAt }) => [tokenHash, expiresAt as string])).toEqual([
      [sha256(answer.body.token), "2026-06-14T09:01:00.000Z"],
    ]);
    expect(JSON.stringify([kept, await controlAudit(at), at.logged])).not.toContain(answer.body.token);
    expect((await actions(at)).at(-1)).toBe("handoff.issued");
  });

  test("is by default `org` with a membership, otherwise `pilot`", async () => {
    const at = await newInstallation();
    const { token } = await signUp(at);
    const types = async (body?: unknown) => (await issue(at, token, body)).body.account_type;
    expect([await types(), await types({}), await types({ account_type: "pilot" })]).toEqual(["org", "org", "pilot"]);
    await standAlone(at);
    expect([await types(), await types({ account_type: "pilot" })]).toEqual(["pilot", "pilot"]);
  });

  test("rejects `org` without a membership, and writes nothing", async () => {
    const at = await newInstallation();
    const { token } = await signUp(at);
    await standAlone(at);
    const answer = await issue(at, token, { account_type: "org" });
    expect([answer.status, answer.body.issues[0].path]).toEqual([400, "body.account_type"]);
    expect(await rows(at)).toEqual([]);
  });

  test.each([
    ["another type", { account_type: "club" }],
    ["an unknown field", { org_id: "x" }],
  ])("rejects %s", async (_, body) => {
    const at = await newInstallation();
    expect((await issue(at, (await signUp(at)).token, body)).status).toBe(400);
  });

  test("rejects a session that is ended during the request", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const { control } = at.storage;
    const [session] = await control.write((tx) => tx.update(sessions).set({ revoked_at: tx.now }).returning());
    if (!session) throw new Error("There is no session.");
    const { userId, email } = olga;
    const actor = { kind: "user", userId, sessionId: session.id, email, name: "" } as const;
    const asked = issueHandoff({ actor, requestId: "", clock: at.clock, control }, {});
    await expect(asked).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(await rows(at)).toEqual([]);
  });

  test("requires an open session", async () => {
    const at = await newInstallation();
    const { token, refreshToken } = await signUp(at);
    expect((await at.call("POST", "/auth/establish-token")).status).toBe(401);
    expect((await issue(at, refreshToken)).status).toBe(401);
    await at.call("POST", "/auth/logout", { token });
    expect((await issue(at, token)).status).toBe(401);
  });
});
