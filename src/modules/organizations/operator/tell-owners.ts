import type { Mailer } from "../../../mail/mailer.ts";
import type { Owner } from "./owners-of.queries.ts";
import { suspensionTexts, type Told } from "./suspension-texts.ts";

/**
 * Mails the owners, each in their language, and waits for the mail server: a command without a server ends right after this.
 *
 * @returns how many mails the mail server has taken
 */
export async function tellOwners(
  mailer: Pick<Mailer, "isConfigured" | "deliver">,
  owners: readonly Owner[],
  { about, ...told }: Told & { about: "suspended" | "resumed" },
): Promise<number> {
  if (!mailer.isConfigured) return 0;
  const sent = await Promise.all(
    owners.map(({ email, language }) => mailer.deliver({ to: email, ...suspensionTexts[language][about](told) })),
  );
  return sent.filter(Boolean).length;
}
