import { describe, expect, test } from "bun:test";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus } from "../../support/school.ts";
import { signUp } from "../accounts/newcomers.ts";
import { ask, claim, invitedStudent, show } from "./students.ts";

describe("DELETE /orgs/{orgId}/student-invites/{inviteId}", () => {
  test("revokes an open invite, and no other", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const { id, token } = await invitedStudent(at, olga);
    const first = await ask(at, "DELETE", olga, `/${id}`);
    expect([first.status, first.body.data.status]).toEqual([200, "revoked"]);
    expect([(await show(at, token)).status, (await claim(at, token)).status]).toEqual([410, 410]);
    expect((await ask(at, "DELETE", olga, `/${id}`)).status).toBe(409);

    const claimed = await invitedStudent(at, olga, { email: "berta@example.com" });
    expectStatus(200, await claim(at, claimed.token));
    expect((await ask(at, "DELETE", olga, `/${claimed.id}`)).status).toBe(409);
  });
});
