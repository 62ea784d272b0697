import { describe, expect, test } from "bun:test";
import { changes, snapshot } from "../../support/databases.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus } from "../../support/school.ts";
import * as organization from "../accounts/newcomers.ts";
import { signUp } from "../accounts/newcomers.ts";
import { ask, claim, invitedStudent, show } from "./students.ts";

describe("student invites and member invites", () => {
  test("are separate: routes of one kind do not find tokens, ids or rows of the other", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const student = await invitedStudent(at, olga);
    const { data: member } = expectStatus(
      201,
      await at.call("POST", `/orgs/${olga.orgId}/invites`, {
        token: olga.token,
        body: { email: "ines@example.com", roles: ["owner"] },
      }),
    ).body;

    const before = await snapshot(at.storage);
    const asked = [
      await show(at, member.token),
      await claim(at, member.token),
      await at.call("GET", `/auth/org-invites/${student.token}`),
      await organization.claim(at, student.token),
      await ask(at, "DELETE", olga, `/${member.id}`),
      await ask(at, "POST", olga, `/${member.id}/resend`),
      await at.call("DELETE", `/orgs/${olga.orgId}/invites/${student.id}`, { token: olga.token }),
      await at.call("POST", `/orgs/${olga.orgId}/invites/${student.id}/resend`, { token: olga.token }),
    ];
    expect(asked.map(({ status }) => status)).toEqual(Array(8).fill(404));
    expect(changes(before, await snapshot(at.storage))).toEqual([]);
    expect((await ask(at, "GET", olga)).body.data).toMatchObject([{ id: student.id, person_id: student.personId }]);
    const members = await at.call("GET", `/orgs/${olga.orgId}/invites`, { token: olga.token });
    expect(members.body.data).toMatchObject([{ id: member.id }]);
  });
});
