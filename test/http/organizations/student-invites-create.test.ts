import { describe, expect, test } from "bun:test";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus } from "../../support/school.ts";
import * as organization from "../accounts/newcomers.ts";
import { controlAudit, join, signUp } from "../accounts/newcomers.ts";
import { ANNA, ask, askFor, invitedStudent, newStudent, show } from "./students.ts";

describe("POST /orgs/{orgId}/student-invites", () => {
  test("invites a person at their own address, mails the invite, and shows the token once", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const personId = await newStudent(at, olga);
    const answer = await askFor(at, olga, { person_id: personId });
    expect(answer.status).toBe(201);
    const { token, ...rest } = answer.body.data;
    expect(rest).toEqual({
      id: expect.any(String),
      email: ANNA,
      roles: ["student"],
      status: "open",
      invited_by: olga.userId,
      invited_by_name: "Olga Owner",
      created_at: "2026-06-14T09:00:00.000Z",
      expires_at: "2026-06-21T09:00:00.000Z",
      claimed_at: null,
      claimed_by: null,
      claimed_by_name: null,
      revoked_at: null,
      person_id: personId,
      mailed: true,
    });
    const mail = at.mails.find(({ to }) => to === ANNA);
    expect(mail?.text).toContain(`/app/link#student=${token}\n`);
    expect(JSON.stringify([await controlAudit(at), at.logged])).not.toContain(token);
  });

  test("accepts another address, and requires one if the person has none", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const personId = await newStudent(at, olga, { email: null });
    const without = await askFor(at, olga, { person_id: personId });
    expect([without.status, without.body.issues[0].path]).toEqual([400, "body.email"]);
    const withOne = await askFor(at, olga, { person_id: personId, email: " Anna@Home.example" });
    expect([withOne.status, withOne.body.data.email]).toEqual([201, "anna@home.example"]);
  });

  test("rejects persons and addresses that cannot become a student's account", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const otto = await signUp(at, "otto@example.com");
    const theirs = await newStudent(at, otto);
    const pilot = await newStudent(at, olga, { types: ["pilot"] });
    const linked = await newStudent(at, olga, { user_id: olga.userId });
    const student = await newStudent(at, olga);
    const asked = [
      await askFor(at, olga, { person_id: "01890a5d-0000-7000-8000-000000000000" }),
      await askFor(at, olga, { person_id: theirs }),
      await askFor(at, olga, { person_id: pilot }),
      await askFor(at, olga, { person_id: linked }),
      // The owner's account is linked to another person.
      await askFor(at, olga, { person_id: student, email: olga.email }),
      await askFor(at, olga, {}),
      await askFor(at, olga, { person_id: student, roles: ["owner"] }),
    ];
    expect(asked.map(({ status }) => status)).toEqual([400, 400, 409, 409, 409, 400, 400]);
    expect((await ask(at, "GET", olga)).body.data).toEqual([]);
  });

  test("a second invite for the same person revokes the first, and no other", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const first = await invitedStudent(at, olga);
    const sister = await invitedStudent(at, olga, { name: "Sister" });
    const member = await organization.invite(at, olga, ANNA, ["student"]);
    const again = expectStatus(201, await askFor(at, olga, { person_id: first.personId, email: "a@example.com" }));
    const seen = [await show(at, first.token), await show(at, sister.token), await show(at, again.body.data.token)];
    expect(seen.map(({ status }) => status)).toEqual([410, 200, 200]);
    expect((await at.call("GET", `/auth/org-invites/${member}`)).status).toBe(200);
  });

  test("requires the permission to manage members", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const admin = await join(at, olga, "adam@example.com", ["admin"]);
    const instructor = await join(at, olga, "ines@example.com", ["instructor"]);
    const person_id = await newStudent(at, olga);
    const asked = [
      await askFor(at, instructor, { person_id }),
      await askFor(at, { ...olga, token: "nonsense" }, { person_id }),
      await askFor(at, admin, { person_id }),
    ];
    expect(asked.map(({ status }) => status)).toEqual([403, 401, 201]);
  });
});
