import { expect, test } from "bun:test";
import { expectStatus, newSchool } from "../../support/school.ts";

const path = "/notification-preferences";
const all = {
  medical_expiring: true,
  compliance_expiring: true,
  maintenance_alert: true,
  planning: true,
  invoice: true,
};

test("each member has preferences of their own, by default for all mails", async () => {
  const { owner, student } = await newSchool();
  expect(expectStatus(200, await student.get(path)).body.data).toEqual(all);
  expectStatus(200, await student.patch(path, { medical_expiring: false }));
  const changed = expectStatus(200, await student.patch(path, { maintenance_alert: false }));
  const wanted = { ...all, medical_expiring: false, maintenance_alert: false };
  expect(changed.body.data).toEqual(wanted);
  expect(expectStatus(200, await student.get(path)).body.data).toEqual(wanted);
  expect(expectStatus(200, await owner.get(path)).body.data).toEqual(all);
  const log = await owner.get("/audit-log?action=notification_preferences.changed");
  expect(log.body.data).toMatchObject([
    { subject: { id: student.userId }, before: { maintenance_alert: true }, after: wanted },
    { before: all },
  ]);
});

test("a change names known kinds", async () => {
  const { student } = await newSchool();
  expectStatus(400, await student.patch(path, {}));
  expectStatus(400, await student.patch(path, { flight_approved: false }));
});
