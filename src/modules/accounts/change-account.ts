import { eq } from "drizzle-orm";
import { unauthorized } from "../../core/errors.ts";
import type { Language } from "../../core/languages.ts";
import { users } from "../../identity/identity.tables.ts";
import { audit } from "../../storage/audit.ts";
import type { SignedIn } from "../../storage/context.ts";
import { announce } from "../../storage/occasions.ts";
import { accountRenamed } from "./accounts.occasions.ts";

interface AccountChange {
  name?: string | undefined;
  language?: Language | undefined;
}

/** Changes the given fields of the caller's account. @throws UNAUTHORIZED the account is deleted */
export async function changeAccount(
  { actor, control, clock, requestId }: SignedIn,
  change: AccountChange,
): Promise<void> {
  await control.write(async (tx) => {
    const [account] = await tx.select().from(users).where(eq(users.id, actor.userId));
    if (!account) throw unauthorized();
    const { name = account.name, language = account.language } = change;
    if (name === account.name && language === account.language) return;
    await tx.update(users).set({ name, language }).where(eq(users.id, account.id));
    if (name !== account.name) await announce(tx, accountRenamed, { id: account.id, name, clock });
    await audit(tx, { actor, requestId }, "user.updated", {
      subject: { kind: "user", id: account.id },
      before: { name: account.name, language: account.language },
      after: { name, language },
    });
  });
}
