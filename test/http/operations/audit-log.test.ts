import { expect, test } from "bun:test";
import { newSchool } from "../../support/school.ts";

test("the log of an organization contains only its own settings, members and invites", async () => {
  const school = await newSchool();
  await newSchool(school.installation);
  await school.owner.patch(`/members/${school.student.userId}`, { roles: ["student", "mechanic"] });

  const { body } = await school.owner.get("/audit-log?log=organization");

  expect(body.data[0]).toMatchObject({
    action: "member.roles_changed",
    subject: { kind: "member", id: school.student.userId },
    before: { roles: ["student"] },
    after: { roles: ["mechanic", "student"] },
    actor: { kind: "user", id: school.owner.userId, name: "Olga Owner" },
  });
  const actions = body.data.map(({ action }: { action: string }) => action);
  expect(actions.filter((action: string) => action === "organization.created")).toHaveLength(1);
  expect(actions.filter((action: string) => action === "member.added")).toHaveLength(3);
  expect((await school.student.get("/audit-log?log=organization")).status).toBe(403);
});
