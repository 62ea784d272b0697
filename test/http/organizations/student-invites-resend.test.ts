import { describe, expect, test } from "bun:test";
import { days } from "../../../src/core/clock.ts";
import { changes, snapshot } from "../../support/databases.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus } from "../../support/school.ts";
import { renewed, signUp } from "../accounts/newcomers.ts";
import { ask, claim, invitedStudent, link, remove, show } from "./students.ts";

describe("POST /orgs/{orgId}/student-invites/{inviteId}/resend", () => {
  test("replaces the token, valid for seven days from now", async () => {
    const at = await newInstallation();
    const early = await signUp(at);
    const { id, token } = await invitedStudent(at, early);
    at.clock.advance(days(7));
    const olga = await renewed(at, early);
    expect((await show(at, token)).status).toBe(410);
    const { data } = expectStatus(200, await ask(at, "POST", olga, `/${id}/resend`)).body;
    expect(data).toMatchObject({ id, status: "open", expires_at: "2026-06-28T09:00:00.000Z", mailed: true });
    expect([(await show(at, token)).status, (await show(at, data.token)).status]).toEqual([404, 200]);
    expect((await claim(at, data.token)).status).toBe(200);
    expect((await ask(at, "POST", olga, `/${id}/resend`)).status).toBe(409);
  });

  test("rejects an invite that could not be created now", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const linked = await invitedStudent(at, olga);
    await link(at, olga, linked.personId, olga.userId);
    const gone = await invitedStudent(at, olga, { email: "berta@example.com" });
    await remove(at, olga, gone.personId);
    const before = await snapshot(at.storage);
    for (const { id } of [linked, gone]) expect((await ask(at, "POST", olga, `/${id}/resend`)).status).toBe(409);
    expect(changes(before, await snapshot(at.storage))).toEqual([]);
  });
});
