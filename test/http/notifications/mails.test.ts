/** Mails about records that expire and about maintenance: to whom, what they say, and how often. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { days, hours, minutes, shift, toInstant } from "../../../src/core/clock.ts";
import type { Trace } from "../../../src/core/trace.ts";
import { nextMail } from "../../../src/modules/mails/mails.queries.ts";
import { newInvoice, sendInvoice } from "../../support/money.ts";
import { expectStatus, password } from "../../support/school.ts";
import { newMailingSchool, receivers } from "./mailing.ts";

test("the person and those who manage compliance get one mail each about a medical, with class and date only", async () => {
  const { owner, student, installation, record, announce, send, sent } = await newMailingSchool();
  await record(student.personId, 30);
  await announce();
  await send();
  const mails = sent();
  expect(receivers(mails)).toEqual([owner.email, student.email].sort());
  const [toStudent, toOwner] = [student, owner].map(({ email }) => mails.find(({ to }) => to === email));
  expect(toStudent?.subject).toBe("Your medical certificate (class 2) expires on 14 July 2026");
  expect(toStudent?.text).toStartWith(
    "Your medical certificate (class 2) expires on 14 July 2026, in 30 days.\n\nYou get this mail as a member of School ",
  );
  expect(toStudent?.text).toContain(installation.config.publicUrl);
  expect(toOwner?.subject).toBe("Sam Student: medical certificate (class 2) expires on 14 July 2026");
  expect(toOwner?.text).toStartWith(
    "The medical certificate (class 2) of Sam Student expires on 14 July 2026, in 30 days.\n",
  );
  expect(toStudent?.text).not.toContain("Olga");

  await announce();
  expect(await send()).toMatchObject({ outcome: "idle" });
  expect(sent()).toEqual([]);
  expect(installation.logged.join()).not.toContain(student.email);
});

test("other records are mailed when their type warns and when they have expired", async () => {
  const { owner, student, installation, record, announce, send, sent } = await newMailingSchool();
  await record(student.personId, 31, "sep");
  const texts: string[] = [];
  for (let day = 0; day < 40; day += 1) {
    await announce();
    await send();
    texts.push(...sent().map(({ to, subject }) => `${day} ${to === owner.email ? "owner" : "student"}: ${subject}`));
    installation.clock.advance(days(1));
  }
  const what = 'record "Class rating SEP"';
  expect(texts.sort()).toEqual([
    `1 owner: Sam Student: ${what} expires on 15 July 2026`,
    `1 student: Your ${what} expires on 15 July 2026`,
    `32 owner: Sam Student: ${what} expired on 15 July 2026`,
    `32 student: Your ${what} expired on 15 July 2026`,
  ]);
});

test("a record that has expired before it is entered is not mailed, nor one that was replaced before the mail was sent", async () => {
  const { student, instructor, record, announce, send, sent } = await newMailingSchool();
  await record(instructor.personId, -1, "sep");
  await record(student.personId, 20, "sep");
  await announce();
  await record(student.personId, 700, "sep");
  await send();
  expect(sent()).toEqual([]);
});

test("a longer warning of a type makes its records due, and a shorter one moves them", async () => {
  const { owner, student, instructor, installation, record, announce, send, sent } = await newMailingSchool();
  const { data } = (await owner.get("/compliance/types?limit=100")).body;
  const [sep, tmg] = ["sep", "tmg"].map((key) => data.find((type: { key: string }) => type.key === key).id);
  await record(student.personId, 50, "sep");
  await record(instructor.personId, 35, "tmg");
  expectStatus(200, await owner.patch(`/compliance/types/${sep}`, { warning_days: 60 }));
  expectStatus(200, await owner.patch(`/compliance/types/${tmg}`, { warning_days: 10 }));
  await announce();
  await send();
  expect(sent().map(({ subject }) => subject)).toEqual([
    'Your record "Class rating SEP" expires on 3 August 2026',
    'Sam Student: record "Class rating SEP" expires on 3 August 2026',
  ]);
  // The warning was given: a change does not repeat it.
  expectStatus(200, await owner.patch(`/compliance/types/${sep}`, { warning_days: 55 }));
  installation.clock.advance(days(24));
  await announce();
  expect(await send()).toMatchObject({ outcome: "idle" });
});

test("a person without a verified account gets the mail at the address that the school entered", async () => {
  const { owner, instructor, record, announce, send, sent } = await newMailingSchool();
  const added = await owner.post("/people", { name: "Ada", types: ["pilot"], email: "ada@pilots.example" });
  const nobody = await owner.post("/people", { name: "Bea", types: ["pilot"] });
  for (const answer of [added, nobody]) await record(expectStatus(201, answer).body.data.id, 14);
  expectStatus(200, await owner.patch(`/people/${instructor.personId}`, { email: "ines@home.example" }));
  await record(instructor.personId, 14);
  await announce();
  await send();
  const mails = sent();
  expect(receivers(mails)).toEqual([
    "ada@pilots.example",
    "ines@home.example",
    ...[owner.email, owner.email, owner.email],
  ]);
  const ada = mails.find(({ to }) => to === "ada@pilots.example");
  expect(ada?.text).toMatch(/\n\nSchool \d+ sends you this mail because it keeps your records\.\n/);
});

test("no mail to a person whose record says so; those who manage compliance get theirs", async () => {
  const { owner, student, record, announce, send, sent } = await newMailingSchool();
  const ada = { name: "Ada", types: ["pilot"], email: "ada@pilots.example", receives_mails: false };
  const added = expectStatus(201, await owner.post("/people", ada)).body.data;
  expect(added).toMatchObject({ receives_mails: false });
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { receives_mails: false }));
  for (const id of [added.id, student.personId, owner.personId]) await record(id, 30);
  expectStatus(200, await owner.patch(`/people/${owner.personId}`, { receives_mails: false }));
  await announce();
  await send();
  expect(receivers(sent())).toEqual([owner.email, owner.email]);
});

test("no mail to disabled or unverified accounts, without the permissions, or to an archived person", async () => {
  const { owner, student, join, verify, disable, record, announce, send, sent } = await newMailingSchool();
  const [admin, disabled, demoted] = [await join(["admin"]), await join(["admin"]), await join(["admin"])];
  const unverified = await join(["admin"], "Unverified");
  for (const member of [admin, disabled, demoted, await join(["mechanic"])]) await verify(member);
  const archived = expectStatus(
    201,
    await owner.post("/people", { name: "Cy", types: ["pilot"], email: "cy@old.example" }),
  );
  await record(archived.body.data.id, 30);
  await record(student.personId, 30);
  await announce();
  // As of the time when they are sent.
  expectStatus(200, await owner.patch(`/people/${archived.body.data.id}`, { status: "archived" }));
  expectStatus(200, await owner.patch(`/members/${demoted.userId}`, { roles: ["instructor"] }));
  for (const member of [disabled, student]) await disable(member);
  await send();
  expect(receivers(sent())).toEqual([admin.email, owner.email].sort());
  // Members who manage such things see who gets no mail until they verify their address.
  const log = expectStatus(200, await owner.get("/audit-log?action=mail.skipped")).body.data;
  expect(log).toMatchObject([
    {
      subject: { kind: "member", id: unverified.userId },
      after: { kind: "medical_expiring", alert: "expiring", reason: "address_unverified" },
    },
  ]);
});

test("a manager who becomes an instructor before the retry does not get the mail, though instructors read medicals", async () => {
  let isUp = false;
  const school = await newMailingSchool({ takesMail: () => isUp });
  const { owner, student, installation, join, verify, record, announce, send, sent, waiting } = school;
  const admin = await join(["admin"]);
  await verify(admin);
  await record(student.personId, 30);
  await announce();
  await send();
  // It is addressed, and waits for the mail server.
  expect((await waiting()).some(({ user_id }) => user_id === admin.userId)).toBe(true);
  expectStatus(200, await owner.patch(`/members/${admin.userId}`, { roles: ["instructor"] }));
  isUp = true;
  installation.clock.advance(hours(1));
  await send();
  expect(receivers(sent())).toEqual([owner.email, student.email].sort());
});

test("a manager whose own medical expires gets one mail", async () => {
  const { owner, record, announce, send, sent } = await newMailingSchool();
  await record(owner.personId, 60);
  // The same address, but not linked.
  const added = await owner.post("/people", { name: "Olga", types: ["pilot"], email: owner.email });
  await record(expectStatus(201, added).body.data.id, 60);
  await announce();
  await send();
  const mails = sent();
  expect(receivers(mails)).toEqual([owner.email, owner.email]);
  for (const { subject } of mails) expect(subject).toStartWith("Your medical");
});

test("mails that a member has switched off are not sent, not even those that wait", async () => {
  const { owner, student, record, announce, send, sent } = await newMailingSchool();
  await record(student.personId, 30);
  await record(student.personId, 20, "sep");
  await announce();
  expectStatus(200, await student.patch("/notification-preferences", { medical_expiring: false }));
  expectStatus(200, await owner.patch("/notification-preferences", { compliance_expiring: false }));
  await send();
  expect(
    sent()
      .map(({ to, subject }) => [to, subject.split(" ").at(1)])
      .sort(),
  ).toEqual(
    [
      [owner.email, "Student:"],
      [student.email, "record"],
    ].sort(),
  );
});

test("those who manage maintenance get alerts, unless the reason has gone when they are sent", async () => {
  const { owner, student, aircraftId, join, verify, send, sent, waiting } = await newMailingSchool();
  const mechanic = await join(["mechanic"], "Max");
  await verify(mechanic);
  expectStatus(200, await mechanic.patch("/notification-preferences", { medical_expiring: false }));
  const item = { aircraft_id: aircraftId, name: "100-hour inspection", interval_hours: "100.00", last_done_on: null };
  expectStatus(201, await owner.post("/maintenance/items", item));
  expectStatus(201, await mechanic.post("/maintenance/work-orders", { aircraft_id: aircraftId, title: "Oil change" }));
  expectStatus(200, await owner.post(`/aircraft/${aircraftId}/ground`, { reason: "Flat tyre." }));
  await send();
  const mails = sent();
  expect(receivers(mails)).toEqual([...Array(3).fill(mechanic.email), ...Array(3).fill(owner.email)].sort());
  expect(
    mails
      .filter(({ to }) => to === mechanic.email)
      .map(({ subject }) => subject)
      .sort(),
  ).toEqual([
    "D-EABC: 100-hour inspection is overdue",
    "D-EABC: the aircraft is grounded",
    "D-EABC: work order opened: Oil change",
  ]);
  const grounded = mails.find(({ subject }) => subject.endsWith("grounded"));
  expect(grounded?.text).toStartWith("D-EABC (Cessna 172S): the aircraft is grounded.\n\n- Flat tyre.\n\nYou get");
  expect(mails.map(({ to }) => to)).not.toContain(student.email);

  const [grounding] = (await owner.get(`/aircraft/${aircraftId}`)).body.data.groundings;
  const lift = `/aircraft/${aircraftId}/groundings/${grounding.id}/lift`;
  expectStatus(200, await owner.post(lift));
  expectStatus(200, await owner.post(`/aircraft/${aircraftId}/ground`, { reason: "Fuel cap." }));
  const [again] = (await owner.get(`/aircraft/${aircraftId}`)).body.data.groundings;
  expectStatus(200, await owner.post(`/aircraft/${aircraftId}/groundings/${again.id}/lift`));
  await send();
  expect([sent(), await waiting()]).toEqual([[], []]);
});

test("without a mail server nothing is queued", async () => {
  const { student, owner, aircraftId, record, announce, send, sent, waiting } = await newMailingSchool({ mail: false });
  await record(student.personId, 30);
  await announce();
  expectStatus(200, await owner.post(`/aircraft/${aircraftId}/ground`, { reason: "Flat tyre." }));
  expect(await waiting()).toEqual([]);
  expect(await send()).toMatchObject({ outcome: "idle" });
  expect(sent()).toEqual([]);
});

test("a mail that waits belongs to the trace of the request that caused it, at each attempt", async () => {
  let isUp = false;
  const causes: (Trace | undefined)[] = [];
  const school = await newMailingSchool({
    takesMail(_, cause) {
      causes.push(cause);
      return isUp;
    },
  });
  const { owner, orgId, aircraftId, installation, send } = school;
  const headers = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" };
  const path = `/orgs/${orgId}/aircraft/${aircraftId}/ground`;
  expectStatus(200, await owner.call("POST", path, { headers, body: { reason: "Flat tyre." } }));
  await send();
  isUp = true;
  installation.clock.advance(minutes(5));
  await send();
  const line = installation.logged.map((text) => JSON.parse(text)).find(({ route }) => route?.endsWith("/ground"));
  expect(line).toMatchObject({ trace_id: "0af7651916cd43dd8448eb211c80319c" });
  const cause = { traceId: line.trace_id, spanId: line.span_id };
  expect(causes).toMatchObject([cause, cause]);
});

test("a retry waits if the clock is set back by no more than the longest wait and what clocks may differ", async () => {
  const school = await newMailingSchool({ takesMail: () => false });
  const { student, installation, record, announce, send, waiting } = school;
  await record(student.personId, 30);
  await announce();
  await send();
  const retryAt = installation.clock.now().getTime() + minutes(5);
  const most = hours(24) + minutes(1);
  for (const [ahead, attempts] of [
    [most, 1],
    [most + 1, 2],
  ] as const) {
    installation.clock.set(new Date(retryAt - ahead).toISOString());
    await send();
    expect((await waiting()).map((one) => one.attempts)).toEqual([attempts, attempts]);
  }
});

test("a retry that was planned while the clock was a day ahead is made when the clock is set back", async () => {
  let isUp = false;
  const school = await newMailingSchool({ takesMail: () => isUp });
  const { student, installation, record, announce, send, waiting } = school;
  await record(student.personId, 30);
  await announce();
  const now = installation.clock.now();
  installation.clock.advance(days(1) + minutes(1));
  await send();
  expect((await waiting()).map(({ attempts }) => attempts)).toEqual([1, 1]);
  isUp = true;
  installation.clock.set(now.toISOString());
  await send();
  expect(await waiting()).toEqual([]);
});

test("when the mail server fails and recovers, each mail is delivered once, and the others do not wait", async () => {
  let isUp = false;
  const school = await newMailingSchool({ takesMail: () => isUp });
  const { owner, student, installation, record, announce, send, sent, waiting } = school;
  await record(student.personId, 30);
  await announce();
  expect(await send()).toMatchObject({ outcome: "succeeded", summary: expect.stringContaining("failed to send 2") });
  // Not before the retry is due.
  expect(await send()).toMatchObject({ outcome: "idle" });
  installation.clock.advance(minutes(5));
  await send();
  expect((await waiting()).map(({ attempts }) => attempts)).toEqual([2, 2]);
  isUp = true;
  installation.clock.advance(hours(1));
  await send();
  await send();
  expect(receivers(sent())).toEqual([owner.email, student.email].sort());
  expect(await waiting()).toEqual([]);
});

test("a mail that fails is tried again after 5 minutes, an hour, 6 hours and 24 hours, and not before", async () => {
  const school = await newMailingSchool({ takesMail: () => false });
  const { owner, installation, record, announce, send, waiting } = school;
  await record(owner.personId, 30);
  await announce();
  await send();
  for (const [failures, wait] of [minutes(5), hours(1), hours(6), hours(24)].entries()) {
    installation.clock.advance(wait - minutes(1));
    expect(await send()).toMatchObject({ outcome: "idle" });
    installation.clock.advance(minutes(1));
    expect((await waiting()).map(({ attempts }) => attempts)).toEqual([failures + 1]);
    await send();
  }
  expect(await waiting()).toEqual([]);
});

test("a mail that is due goes out before retries that are due later", async () => {
  let isUp = false;
  const school = await newMailingSchool({ takesMail: () => isUp });
  const { owner, installation, send, sent } = school;
  const invoiced = async () => sendInvoice(school, await newInvoice(school));
  // As many as are sent at the same time.
  for (let count = 0; count < 5; count += 1) await invoiced();
  await send();
  installation.clock.advance(minutes(1));
  const { id } = await invoiced();
  const { number } = expectStatus(200, await owner.get(`/finance/invoices/${id}`)).body.data;
  isUp = true;
  installation.clock.advance(minutes(4));
  await send();
  const subjects = sent().map(({ subject }) => subject);
  expect(subjects).toHaveLength(6);
  expect(subjects.slice(0, 5).join()).toContain(number);
});

test("when the next threshold comes while a mail waits, only the later mail is sent", async () => {
  let isUp = false;
  const school = await newMailingSchool({ takesMail: () => isUp });
  const { owner, student, installation, record, announce, send, sent } = school;
  await record(student.personId, 31);
  for (let day = 0; day < 2; day += 1) {
    await announce();
    await send();
    installation.clock.advance(days(1));
  }
  isUp = true;
  await send();
  expect(receivers(sent())).toEqual([owner.email, student.email].sort());
});

test("after five failures within two days a mail is given up, which the audit log says", async () => {
  let hour = 0;
  const failures: number[] = [];
  const { owner, student, installation, record, announce, send, sent, waiting } = await newMailingSchool({
    takesMail({ to }) {
      if (!to.startsWith("sam")) return true;
      failures.push(hour);
      return false;
    },
  });
  await record(student.personId, 30);
  await announce();
  for (; hour < 48; hour += 1) {
    await send();
    installation.clock.advance(hours(1));
  }
  // After 5 minutes, which are over in the next hour, and 1, 6 and 24 hours.
  expect(failures).toEqual([0, 1, 2, 8, 32]);
  expect(receivers(sent())).toEqual([owner.email]);
  expect(await waiting()).toEqual([]);
  const login = await installation.call("POST", "/auth/login", { body: { email: owner.email, password } });
  const { access_token: token } = expectStatus(200, login).body;
  const log = await installation.call("GET", `/orgs/${owner.orgId}/audit-log?action=mail.given_up`, { token });
  expect(expectStatus(200, log).body.data).toMatchObject([
    { subject: { kind: "person", id: student.personId }, after: { kind: "medical_expiring", attempts: 5 } },
  ]);
});

test("a crash after the mail server has taken a mail loses none", async () => {
  let crashes = true;
  const school = await newMailingSchool({
    takesMail() {
      if (crashes) throw new Error("The process ends.");
      return true;
    },
  });
  const { owner, student, record, announce, send, sent } = school;
  await record(student.personId, 30);
  await announce();
  expect(await send()).toMatchObject({ outcome: "failed" });
  crashes = false;
  await send();
  expect(receivers(sent())).toEqual([owner.email, student.email].sort());
});

test("an idle school is due when it has a mail to send", async () => {
  const { student, installation, record, announce, send, sent, waiting } = await newMailingSchool();
  await record(student.personId, 90);
  const { clock, storage } = installation;
  const rest = async () => {
    clock.advance(minutes(1));
    await storage.checkpointIdle();
  };
  await rest();
  expect(await send()).toMatchObject({ outcome: "idle" });
  clock.advance(days(30));
  await announce();
  await rest();
  // At the next full half minute.
  clock.advance(minutes(1));
  await send();
  expect(sent()).toHaveLength(2);
  expect(await waiting()).toEqual([]);
});

test("an erasure deletes the mails that wait and the preferences", async () => {
  const { owner, student, installation, tenant, record, announce, waiting } = await newMailingSchool();
  await record(student.personId, 30);
  expectStatus(200, await student.patch("/notification-preferences", { medical_expiring: false }));
  await announce();
  expect(await waiting()).toHaveLength(2);
  expectStatus(200, await owner.delete(`/members/${student.userId}`));
  installation.clock.advance(days(5 * 366));
  const login = await installation.call("POST", "/auth/login", { body: { email: owner.email, password } });
  const { access_token: token } = expectStatus(200, login).body;
  const erase = `/orgs/${owner.orgId}/people/${student.personId}/erase`;
  expectStatus(200, await installation.call("POST", erase, { token }));
  expect(await waiting()).toEqual([]);
  expect(await tenant.read((reader) => reader.values(sql`select 1 from notification_preferences`))).toEqual([]);
});

test("over a year with a server and a mail server that fail, each recipient gets at most one mail for each threshold", async () => {
  let isUp = true;
  const school = await newMailingSchool({ takesMail: () => isUp });
  const { owner, student, installation, record, today, announce, send, sent, waiting } = school;
  const outages = fc.array(
    fc.record({ from: fc.integer({ min: 0, max: 200 }), for: fc.integer({ min: 1, max: 40 }) }),
    {
      maxLength: 4,
    },
  );
  const plan = fc.record({
    type: fc.constantFrom("medical", "sep"),
    entered: fc.integer({ min: 0, max: 90 }),
    validFor: fc.integer({ min: -3, max: 100 }),
  });
  const isIn = (list: { from: number; for: number }[], day: number) =>
    list.some((outage) => day >= outage.from && day < outage.from + outage.for);
  await fc.assert(
    fc.asyncProperty(plan, outages, outages, async ({ type, entered, validFor }, downs, mailDowns) => {
      const until = today().add({ days: entered + validFor });
      const thresholds = type === "medical" ? [60, 30, 14] : [30, -1];
      const passed = { owner: new Set<number>(), student: new Set<number>() };
      let last = Number.POSITIVE_INFINITY;
      for (let day = 0; day <= 230; day += 1) {
        const left = today().until(until, { largestUnit: "days" }).days;
        if (day === entered) await record(student.personId, validFor, type);
        isUp = !isIn(mailDowns, day);
        if (!isIn(downs, day)) {
          await announce();
          await send();
        }
        const nearest = thresholds.findLast((days) => left <= days) ?? Number.POSITIVE_INFINITY;
        for (const { to, subject } of sent()) {
          const who = to === owner.email ? "owner" : "student";
          expect([to, isUp]).toEqual([who === "owner" ? owner.email : student.email, true]);
          expect(subject).toContain(left < 0 ? "expired on" : "expires on");
          expect(passed[who].has(nearest)).toBe(false);
          passed[who].add(nearest);
        }
        const isAnnounced = day >= entered && validFor >= 0 && !isIn(downs, day) && nearest < last;
        if (isAnnounced) last = nearest;
        if (isAnnounced && isUp) expect([passed.owner.has(nearest), passed.student.has(nearest)]).toEqual([true, true]);
        if (validFor < 0) expect(await waiting()).toEqual([]);
        installation.clock.advance(days(1));
      }
      expect(await waiting()).toEqual([]);
      expect(passed.owner).toEqual(passed.student);
    }),
    { numRuns: 5 },
  );
}, 300_000);

test("the next mail is that which is due first, though another waits for its retry", async () => {
  const school = await newMailingSchool({ takesMail: () => false });
  const { student, instructor, record, announce, send, tenant, installation, verify } = school;
  await verify(instructor);
  await record(student.personId, 30);
  await announce();
  await send();
  await send();
  const retried = await tenant.read(nextMail);
  installation.clock.advance(1000);
  await record(instructor.personId, 30);
  await announce();
  expect(await tenant.read(nextMail)).toBe(toInstant(installation.clock.now()));
  expect(retried).toBe(shift(toInstant(installation.clock.now()), minutes(5) - 1000));
});

test("a mail about a medical that waits is not sent once a suspension has ended the medical", async () => {
  const { owner, student, record, announce, send, sent, waiting } = await newMailingSchool();
  await record(student.personId, 20);
  await announce();
  expect(await waiting()).not.toEqual([]);
  const dates = { issued_on: "2026-06-01", valid_until: "2027-06-01" };
  const first = { person_id: student.personId, type: "medical", level: "class_1", ...dates };
  const { id } = expectStatus(201, await owner.post("/compliance/records", first)).body.data;
  expectStatus(200, await owner.post(`/compliance/records/${id}/withdraw`, { reason: "Suspended." }));
  await send();
  expect(sent()).toEqual([]);
  expect(await waiting()).toEqual([]);
});
