import { yieldToEventLoop } from "../../../core/async.ts";
import { toInstant } from "../../../core/clock.ts";
import { parseTraceparent } from "../../../core/trace.ts";
import type { Mail, Mailer } from "../../../mail/mailer.ts";
import { audit } from "../../../storage/audit.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { meta } from "../../../storage/tenant.tables.ts";
import { dueMails, type MailRow } from "../../mails/mails.queries.ts";
import { postponeMail, removeMail } from "../../mails/settle-mails.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import { missingIn } from "../../revalidation/notice.queries.ts";
import { addressManagers } from "./address-managers.ts";
import { invoiceText } from "./invoice-texts.queries.ts";
import { alertedAircraft, expiringRecord } from "./mail-subjects.queries.ts";
import { aircraftText, mailOf, recordText, revalidationText, type Text } from "./mail-texts.ts";
import { planningText } from "./planning-texts.queries.ts";
import { recipientOf, type Unverified } from "./recipients.queries.ts";

interface SendOptions {
  mailer: Pick<Mailer, "deliver" | "isConfigured" | "from">;
  publicUrl: string;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
}

/** Mails that are sent at the same time: as many as the mailer has connections. */
const AT_ONCE = 5;

type Outcome = "sent" | "not_needed" | "unverified" | "failed";

/**
 * Sends the mails that are due. A mail is deleted once the mail server has taken it: after a crash in between it is sent
 * again. Stops at a failure, since the next mail would most likely fail, too; the next run goes on.
 */
export async function sendMails(context: TenantContext, options: SendOptions): Promise<Record<Outcome, number>> {
  const { tenant, clock } = context;
  await addressManagers(context);
  const counts = { sent: 0, not_needed: 0, unverified: 0, failed: 0 };
  while (!options.stopping.aborted && counts.failed === 0) {
    const rows = await tenant.read((reader) => dueMails(reader, toInstant(clock.now()), AT_ONCE));
    if (rows.length === 0) break;
    const done = await Promise.all(rows.map(async (row) => ({ row, outcome: await attempt(context, options, row) })));
    await tenant.write(async (tx) => {
      tx.unseen();
      for (const { row, outcome } of done) {
        if (outcome !== "failed") await removeMail(tx, row);
        else if (!(await postponeMail(tx, row)))
          await audit(tx, context, "mail.given_up", about(row, { attempts: row.attempts + 1 }));
        if (outcome === "unverified")
          await audit(tx, context, "mail.skipped", about(row, { reason: "address_unverified" }));
      }
    });
    for (const { outcome } of done) counts[outcome] += 1;
    await yieldToEventLoop();
  }
  return counts;
}

async function attempt(context: TenantContext, { mailer, publicUrl }: SendOptions, row: MailRow): Promise<Outcome> {
  const mail = mailer.isConfigured ? await compose(context, row, { publicUrl, from: mailer.from }) : undefined;
  if (mail === undefined) return "not_needed";
  if (mail === "unverified") return mail;
  const cause = row.traceparent === null ? undefined : parseTraceparent(row.traceparent);
  return (await mailer.deliver(mail, cause)) ? "sent" : "failed";
}

/** Returns the mail as of now; undefined if there is no recipient, or nothing to tell any more. */
async function compose(
  context: TenantContext,
  row: MailRow,
  { publicUrl, from }: { publicUrl: string; from: string },
): Promise<Mail | Unverified | undefined> {
  const { tenant, clock } = context;
  const { person_id } = row;
  const person = person_id === null ? undefined : await tenant.read((reader) => findPersonRow(reader, person_id));
  // Whoever has left may still owe something.
  if (person?.status === "archived" && row.kind !== "invoice") return undefined;
  const [school] = await tenant.read((reader) => reader.select({ name: meta.name }).from(meta));
  const recipient = await recipientOf(context, row, person);
  if (recipient === undefined) return undefined;
  // To an unverified address the text is not sent: only whether there is one matters.
  const { address: to, language } = recipient === "unverified" ? { address: "", language: "en" as const } : recipient;
  const text = await tenant.read(async (reader): Promise<Text | undefined> => {
    if (row.kind === "planning")
      return planningText(reader, row, { language, between: { name: school?.name ?? "", from, to } });
    if (row.kind === "invoice") return invoiceText(reader, row, toInstant(clock.now()));
    if (person === undefined) {
      const found = await alertedAircraft(reader, row);
      return found && aircraftText(found, language);
    }
    if (row.alert === "revalidation_due") {
      const found = await missingIn(reader, row.subject_id, toInstant(clock.now()));
      return found && revalidationText(found, row.recipient === "person" ? undefined : person.name, language);
    }
    const found = await expiringRecord(reader, row, toInstant(clock.now()));
    return found && recordText(found, row.recipient === "person" ? undefined : person.name, language);
  });
  if (text === undefined) return undefined;
  if (recipient === "unverified") return recipient;
  return mailOf(text, recipient, { school: school?.name ?? "", publicUrl });
}

/** The audit row of a mail that was not sent: who would have got it, and what it was about. */
const about = ({ kind, alert, subject_id, person_id, user_id }: MailRow, more: object) => ({
  subject: user_id === null ? { kind: "person", id: person_id ?? "" } : { kind: "member", id: user_id },
  after: { kind, alert, subject_id, ...more },
});
