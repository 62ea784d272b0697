/** The mails to accounts. Each says what to do if the recipient did not cause it. */
import type { Language } from "../../../core/languages.ts";
import type { Mail } from "../../../mail/mailer.ts";
import type { Notice } from "./texts/en.ts";
import { textsOf } from "./texts/texts.ts";

export type { Notice } from "./texts/en.ts";

interface Recipient {
  to: string;
  language: Language;
  /** The address of the installation: a recipient may use several. */
  publicUrl: string;
}

interface LinkMail extends Recipient {
  /** The address of the page that the link opens. */
  linkUrl: string;
  token: string;
}

/** Returns a link with the token in its fragment, which browsers send neither to the server nor in `Referer`. */
export const linkTo = (linkUrl: string, action: "reset" | "verify" | "invite" | "student", token: string): string =>
  `${linkUrl}#${action}=${token}`;

export const verificationMail = ({ to, language, publicUrl, linkUrl, token }: LinkMail): Mail => ({
  to,
  ...textsOf(language).verification({ publicUrl, link: linkTo(linkUrl, "verify", token) }),
});

export const resetMail = ({ to, language, publicUrl, linkUrl, token }: LinkMail): Mail => ({
  to,
  ...textsOf(language).reset({ publicUrl, link: linkTo(linkUrl, "reset", token) }),
});

export function noticeMail(notice: Notice, { to, language, publicUrl }: Recipient): Mail {
  const { notices, notYou } = textsOf(language);
  const { subject, before, after } = notices[notice];
  return { to, subject, text: `${before}\n${publicUrl}\n${after}\n\n${notYou}\n` };
}
