/** What the tests of mails share: a school whose clock moves, with a mail server. */
import { eq } from "drizzle-orm";
import type { MemberActor } from "../../../src/core/actor.ts";
import { toLegalDate } from "../../../src/core/dates.ts";
import { isId, type PersonId, type UserId } from "../../../src/core/ids.ts";
import { permissions } from "../../../src/core/permissions.ts";
import type { Trace } from "../../../src/core/trace.ts";
import { users } from "../../../src/identity/identity.tables.ts";
import type { Mail } from "../../../src/mail/mailer.ts";
import { addRecord } from "../../../src/modules/compliance/records/add-record.ts";
import { mails } from "../../../src/modules/mails/mails.tables.ts";
import { newInstallation } from "../../support/installation.ts";
import { type Member, newSchool } from "../../support/school.ts";

interface Options {
  mail?: boolean;
  takesMail?: (mail: Mail, cause: Trace | undefined) => boolean;
}

/** The owner's and the student's addresses are verified, the instructor's is not. */
export async function newMailingSchool(options: Options = {}) {
  const installation = await newInstallation(options);
  const school = await newSchool(installation);
  const { orgId, owner, student } = school;
  const { clock, storage, scheduler } = installation;
  if (!isId<"organization">(orgId)) throw new Error("A school has an id.");
  const tenant = storage.tenants.tenant(orgId);
  const actor = { kind: "user", orgId, userId: owner.userId, name: "Olga Owner", permissions: new Set(permissions) };
  const context = {
    ...{ actor: actor as unknown as MemberActor, requestId: "" },
    ...{ clock, control: storage.control, tenant },
  };
  const setAccount = (member: Member, set: Partial<typeof users.$inferInsert>) =>
    storage.control.write((tx) =>
      tx
        .update(users)
        .set(set)
        .where(eq(users.id, member.userId as UserId)),
    );
  const verify = (member: Member) => setAccount(member, { email_verified_at: "2026-01-01T00:00:00.000Z" as never });
  await verify(owner);
  await verify(student);
  installation.mails.length = 0;

  const today = () =>
    Temporal.Instant.fromEpochMilliseconds(clock.now().getTime()).toZonedDateTimeISO("Europe/Berlin").toPlainDate();
  return {
    ...school,
    tenant,
    verify,
    today,
    disable: (member: Member) => setAccount(member, { disabled_at: "2026-01-01T00:00:00.000Z" as never }),
    /** Adds a record that expires in so many days. */
    async record(person: string, days: number, type = "medical") {
      const { value } = await addRecord(context, {
        ...{ person_id: person as PersonId, aircraft_id: null, type, level: type === "medical" ? "class_2" : null },
        ...{ number: null, issued_by: null, remarks: null, method: null, other_levels: [], supersedes: null },
        ...{ issued_on: toLegalDate(today().subtract({ years: 1 })), valid_until: toLegalDate(today().add({ days })) },
      });
      return value.id;
    },
    announce: () => scheduler.runNow("medical-expiry"),
    send: () => scheduler.runNow("mail-sending"),
    waiting: () => tenant.read((reader) => reader.select().from(mails)),
    /** The mails since the last call, without those of invites. */
    sent: () => installation.mails.splice(0).filter(({ subject }) => !/^(You are invited|Confirm)/.test(subject)),
  };
}

export const receivers = (sent: readonly Mail[]): string[] => sent.map(({ to }) => to).sort();
