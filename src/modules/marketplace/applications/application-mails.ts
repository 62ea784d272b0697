/** Mails about applications. They quote neither the message nor the notes, which strangers wrote. */
import type { Clock } from "../../../core/clock.ts";
import type { UserId } from "../../../core/ids.ts";
import { createLimiter, type Limiter } from "../../../http/rate-limit.ts";
import type { Mailer } from "../../../mail/mailer.ts";
import type { Tx } from "../../../storage/store.ts";
import { mailableAccount, managersOf } from "./application-recipients.queries.ts";
import { applicationTexts } from "./application-texts.ts";
import type { ApplicationDetail } from "./applications.shapes.ts";

const HOUR = 60 * 60;

export interface ApplicationMailer {
  mailer: Mailer;
  publicUrl: string;
  /** Mails about new applications, for each organization. */
  perOrganization: Limiter;
}

export const createApplicationMailer = (
  clock: Clock,
  { mailer, publicUrl }: Pick<ApplicationMailer, "mailer" | "publicUrl">,
): ApplicationMailer => ({
  mailer,
  publicUrl,
  perOrganization: createLimiter({ clock, limit: 60, windowSeconds: HOUR }),
});

/** Mails the members who manage the marketplace, at their verified addresses, after the commit. */
export async function mailManagers(
  tx: Tx<"control">,
  { mailer, publicUrl, perOrganization }: ApplicationMailer,
  { organization, opportunity, applicant }: ApplicationDetail,
): Promise<void> {
  if (!mailer.isConfigured) return;
  const managers = await managersOf(tx, organization.id);
  tx.afterCommit(() => {
    if (managers.length === 0 || !perOrganization.take(organization.id).allowed) return;
    const about = { organization: organization.name, opportunity: opportunity.title, publicUrl };
    for (const { email: to, language } of managers)
      mailer.send({ to, ...applicationTexts[language].added({ ...about, applicant: applicant.name }) });
  });
}

/** Mails the applicant, at a verified address, after the commit. */
export async function mailApplicant(
  tx: Tx<"control">,
  { mailer, publicUrl }: ApplicationMailer,
  { userId, to: { status, opportunity, organization } }: { userId: UserId; to: ApplicationDetail },
): Promise<void> {
  if (!mailer.isConfigured) return;
  const account = await mailableAccount(tx, userId);
  if (account === undefined) return;
  const about = { organization: organization.name, opportunity: opportunity.title, publicUrl };
  const text = applicationTexts[account.language].changed({ ...about, status });
  tx.afterCommit(() => mailer.send({ to: account.email, ...text }));
}
