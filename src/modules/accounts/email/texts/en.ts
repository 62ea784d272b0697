/** Changes to the means of sign-in. The owner gets a notice, since another person may have made the change. */
export type Notice =
  | "password_changed"
  | "provider_linked"
  | "second_factor_added"
  | "second_factor_removed"
  | "recovery_code_used";

interface MailText {
  subject: string;
  text: string;
}

interface Link {
  /** The address of the installation: a recipient may use several. */
  publicUrl: string;
  link: string;
}

interface NoticeText {
  subject: string;
  /** The sentence before and after the installation's address. */
  before: string;
  after: string;
}

export interface Texts {
  verification(link: Link): MailText;
  reset(link: Link): MailText;
  notices: Record<Notice, NoticeText>;
  /** What to do about a change that another person made. */
  notYou: string;
}

export const en: Texts = {
  verification: ({ publicUrl, link }) => ({
    subject: "Confirm your e-mail address",
    text: `An account with this e-mail address, most likely yours, was created at
${publicUrl}

To confirm that the address is yours, open this link within 24 hours:

${link}

If you have no account there, ignore this mail: the address then stays
unconfirmed.
`,
  }),
  reset: ({ publicUrl, link }) => ({
    subject: "Choose a new password",
    text: `A new password was requested, most likely by you, for your account at
${publicUrl}

To choose one, open this link within 30 minutes:

${link}

If you did not request it, ignore this mail: your password does not change.
Do not share the link with anyone.
`,
  }),
  notices: {
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
  },
  notYou: `If this was not you, request a new password there immediately ("forgot
password"), and inform the operator of your school's installation.`,
};
