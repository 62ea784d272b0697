import type { Mail } from "../../src/mail/mailer.ts";

/** Returns the token in the newest link of a kind that was mailed to an address. */
export function tokenIn(mails: readonly Mail[], to: string, action: "reset" | "verify" | "student"): string {
  const link = new RegExp(`#${action}=([\\w-]+)`);
  for (const mail of mails.toReversed()) {
    const token = mail.to === to ? link.exec(mail.text)?.[1] : undefined;
    if (token !== undefined) return token;
  }
  throw new Error(`Nothing of that kind was mailed to ${to}.`);
}
