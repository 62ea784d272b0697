import { describe, expect, test } from "bun:test";
import { days } from "../../../src/core/clock.ts";
import { memberships } from "../../../src/identity/identity.tables.ts";
import { changes, snapshot } from "../../support/databases.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus } from "../../support/school.ts";
import { claim, controlAudit, join, type Newcomer, renewed, signUp } from "../accounts/newcomers.ts";

const INES = "ines@example.com";
type By = Pick<Newcomer, "token" | "orgId">;

async function invited(at: Installation, by: By, roles: string[] = ["instructor"], email = INES) {
  const answer = await at.call("POST", `/orgs/${by.orgId}/invites`, { token: by.token, body: { email, roles } });
  return expectStatus(201, answer).body.data as { id: string; token: string; mailed: boolean };
}

const resend = (at: Installation, { token, orgId }: By, id: string) =>
  at.call("POST", `/orgs/${orgId}/invites/${id}/resend`, { token });

const show = async (at: Installation, token: string) => (await at.call("GET", `/auth/org-invites/${token}`)).status;

/** Returns the tokens of the links in mails. */
const mailedTo = ({ mails }: Installation, address: string) =>
  mails.flatMap(({ to, text }) => (to === address ? [/#invite=([A-Za-z0-9_-]{43})\n/.exec(text)?.[1]] : []));

test("without a mail server the response has the token, and says that no mail was sent", async () => {
  const at = await newInstallation({ mail: false });
  const olga = await signUp(at);
  const { id, token, mailed } = await invited(at, olga);
  expect(mailed).toBe(false);
  const again = expectStatus(200, await resend(at, olga, id)).body.data;
  expect(again.mailed).toBe(false);
  expect(at.mails).toEqual([]);
  expect([await show(at, token), await show(at, again.token)]).toEqual([404, 200]);
});

describe("POST /orgs/{orgId}/invites/{inviteId}/resend", () => {
  test("replaces the token, valid for seven days from now, and mails it", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const first = await invited(at, olga);
    at.clock.advance(days(6));
    const by = await renewed(at, olga);
    const { data } = expectStatus(200, await resend(at, by, first.id)).body;
    expect(data).toMatchObject({ id: first.id, status: "open", mailed: true });
    expect([data.created_at, data.expires_at]).toEqual(["2026-06-14T09:00:00.000Z", "2026-06-27T09:00:00.000Z"]);
    expect(mailedTo(at, INES)).toEqual([first.token, data.token]);

    expect([await show(at, first.token), await show(at, data.token)]).toEqual([404, 200]);
    expect((await claim(at, first.token)).status).toBe(404);
    at.clock.advance(days(7) - 1);
    expect((await claim(at, data.token)).status).toBe(200);
    const kept = JSON.stringify([await controlAudit(at), at.logged]);
    expect(kept).toContain("invite.resent");
    expect(kept).not.toContain(data.token);
  });

  test("reopens an expired invite, and revokes its replacement", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const old = await invited(at, olga);
    at.clock.advance(days(7));
    const by = await renewed(at, olga);
    const { data } = expectStatus(200, await resend(at, by, old.id)).body;
    expect(await show(at, data.token)).toBe(200);

    at.clock.advance(days(7));
    const again = await renewed(at, by);
    const younger = await invited(at, again);
    const { data: newest } = expectStatus(200, await resend(at, again, old.id)).body;
    expect([await show(at, younger.token), await show(at, newest.token)]).toEqual([410, 200]);
  });

  test("rejects a claimed or revoked invite, and changes nothing", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const claimed = await invited(at, olga);
    expectStatus(200, await claim(at, claimed.token));
    const revoked = await invited(at, olga, ["student"], "revoked@example.com");
    const path = `/orgs/${olga.orgId}/invites/${revoked.id}`;
    expectStatus(200, await at.call("DELETE", path, { token: olga.token }));

    const [before, mails] = [await snapshot(at.storage), at.mails.length];
    const answers = [await resend(at, olga, claimed.id), await resend(at, olga, revoked.id)];
    expect(answers.map(({ status, body }) => [status, body.error.message])).toEqual([
      [409, "The invite is claimed, not open."],
      [409, "The invite is revoked, not open."],
    ]);
    expect(changes(before, await snapshot(at.storage))).toEqual([]);
    expect(at.mails).toHaveLength(mails);
  });

  test("rejects an invite whose address belongs to a member by now", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const { id } = await invited(at, olga);
    const ines = await signUp(at, INES);
    await at.storage.control.write((tx) =>
      tx
        .insert(memberships)
        .values({ org_id: olga.orgId, user_id: ines.userId, roles: ["student"], created_at: tx.now }),
    );
    expect((await resend(at, olga, id)).status).toBe(409);
  });

  test("requires the permission to create such an invite, and makes the caller the inviter", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const admin = await join(at, olga, "adam@example.com", ["admin"]);
    const instructor = await join(at, olga, "other@example.com", ["instructor"]);
    const otto = await signUp(at, "otto@example.com");
    const owners = await invited(at, olga, ["owner"]);
    const admins = await invited(at, admin, ["student"], "student@example.com");
    const asked = [
      await resend(at, admin, owners.id),
      await resend(at, instructor, admins.id),
      await resend(at, { ...otto, orgId: olga.orgId }, admins.id),
      await resend(at, otto, admins.id),
      await at.call("POST", `/orgs/${olga.orgId}/invites/${admins.id}/resend`),
    ];
    expect(asked.map(({ status }) => status)).toEqual([403, 403, 404, 404, 401]);

    // The invite of a removed admin is invalid until another member sends it again.
    await at.call("DELETE", `/orgs/${olga.orgId}/members/${admin.userId}`, { token: olga.token });
    expect(await show(at, admins.token)).toBe(410);
    const { data } = expectStatus(200, await resend(at, olga, admins.id)).body;
    expect([data.invited_by, await show(at, data.token)]).toEqual([olga.userId, 200]);
  });
});
