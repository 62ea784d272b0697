/** What accounts are told by mail: short, plain, and always what to do for whoever did not ask for it. */
import type { Mail } from "../../../mail/mailer.ts";

interface Letter {
  to: string;
  /** Where the installation is reached: people may know several. */
  publicUrl: string;
}

interface LinkLetter extends Letter {
  /** The page that the link leads to. */
  linkUrl: string;
  token: string;
}

/** Where a token is brought back to. In the fragment, which browsers send to no server and in no `Referer`. */
export const linkTo = (linkUrl: string, action: "reset" | "verify" | "invite" | "student", token: string): string =>
  `${linkUrl}#${action}=${token}`;

export const verificationMail = ({ to, publicUrl, linkUrl, token }: LinkLetter): Mail => ({
  to,
  subject: "Confirm your e-mail address",
  text: `Somebody, most likely you, gave this e-mail address for an account at
${publicUrl}

To confirm that the address is yours, open this link within 24 hours:

${linkTo(linkUrl, "verify", token)}

If you have no account there, you need not do anything: without the link the
address stays unconfirmed.
`,
});

export const resetMail = ({ to, publicUrl, linkUrl, token }: LinkLetter): Mail => ({
  to,
  subject: "Choose a new password",
  text: `Somebody, most likely you, asked for a new password for your account at
${publicUrl}

To choose one, open this link within 30 minutes:

${linkTo(linkUrl, "reset", token)}

If you did not ask for it, you need not do anything: your password stays as
it is. Don't pass the link on to anybody.
`,
});

/** What an account is told afterwards, in case it was somebody else: each is a way in, or takes one away. */
export type Notice =
  | "password_changed"
  | "provider_linked"
  | "second_factor_added"
  | "second_factor_removed"
  | "recovery_code_used";

interface Happened {
  subject: string;
  /** What happened, as a sentence around the installation's address. */
  before: string;
  after: string;
}

const happened: Record<Notice, Happened> = {
  password_changed: {
    subject: "Your password was changed",
    before: "The password of your account at",
    after: "was changed just now, and all other devices were signed out.",
  },
  provider_linked: {
    subject: "Another way to sign in was added",
    before: "Your account at",
    after: "was linked to an account at a provider, which signs in to it from now on.",
  },
  second_factor_added: {
    subject: "Two-factor sign-in was switched on",
    before: "Your account at",
    after: "asks for the code of an authenticator app from now on.",
  },
  second_factor_removed: {
    subject: "Two-factor sign-in was switched off",
    before: "Your account at",
    after: "no longer asks for the code of an authenticator app.",
  },
  recovery_code_used: {
    subject: "A recovery code was used",
    before: "A recovery code of your account at",
    after: "was used just now, in place of the authenticator app. It does not work again.",
  },
};

export function noticeMail(notice: Notice, { to, publicUrl }: Letter): Mail {
  const { subject, before, after } = happened[notice];
  return {
    to,
    subject,
    text: `${before}
${publicUrl}
${after}

If it was not you, ask for a new password there at once ("forgot password"),
and tell whoever runs your school's installation.
`,
  };
}
