/** The mails to accounts. Each says what to do if the recipient did not cause it. */
import type { Mail } from "../../../mail/mailer.ts";

interface Recipient {
  to: string;
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

export const verificationMail = ({ to, publicUrl, linkUrl, token }: LinkMail): Mail => ({
  to,
  subject: "Confirm your e-mail address",
  text: `An account with this e-mail address, most likely yours, was created at
${publicUrl}

To confirm that the address is yours, open this link within 24 hours:

${linkTo(linkUrl, "verify", token)}

If you have no account there, ignore this mail: the address then stays
unconfirmed.
`,
});

export const resetMail = ({ to, publicUrl, linkUrl, token }: LinkMail): Mail => ({
  to,
  subject: "Choose a new password",
  text: `A new password was requested, most likely by you, for your account at
${publicUrl}

To choose one, open this link within 30 minutes:

${linkTo(linkUrl, "reset", token)}

If you did not request it, ignore this mail: your password does not change.
Do not share the link with anyone.
`,
});

/** Changes to the means of sign-in. The owner gets a notice, since another person may have made the change. */
export type Notice =
  | "password_changed"
  | "provider_linked"
  | "second_factor_added"
  | "second_factor_removed"
  | "recovery_code_used";

interface NoticeText {
  subject: string;
  /** The sentence before and after the installation's address. */
  before: string;
  after: string;
}

const noticeTexts: Record<Notice, NoticeText> = {
  password_changed: {
    subject: "Your password was changed",
    before: "The password of your account at",
    after: "was changed just now, and all other devices were signed out.",
  },
  provider_linked: {
    subject: "Another way to sign in was added",
    before: "Your account at",
    after: "was linked to a provider account, which can now sign in to it.",
  },
  second_factor_added: {
    subject: "Two-factor sign-in was switched on",
    before: "Your account at",
    after: "now requires the code of an authenticator app.",
  },
  second_factor_removed: {
    subject: "Two-factor sign-in was switched off",
    before: "Your account at",
    after: "no longer requires the code of an authenticator app.",
  },
  recovery_code_used: {
    subject: "A recovery code was used",
    before: "A recovery code of your account at",
    after: "was used just now, in place of the authenticator app. It does not work again.",
  },
};

export function noticeMail(notice: Notice, { to, publicUrl }: Recipient): Mail {
  const { subject, before, after } = noticeTexts[notice];
  return {
    to,
    subject,
    text: `${before}
${publicUrl}
${after}

If this was not you, request a new password there immediately ("forgot
password"), and inform the operator of your school's installation.
`,
  };
}
