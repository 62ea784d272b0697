/** What the mail with an invite says. */
import type { Instant } from "../../../core/clock.ts";
import { longDateIn } from "../../../core/forms.ts";
import type { Language } from "../../../core/languages.ts";
import type { Role } from "../../../identity/roles.ts";

interface Invited {
  /** The name of the member who invites. */
  inviter: string;
  organization: string;
  roles: readonly Role[];
  link: string;
  expiresAt: Instant;
}

type InviteText = (invited: Invited) => { subject: string; text: string };

export const inviteTexts: Record<Language, InviteText> = {
  en: ({ inviter, organization, roles, link, expiresAt }) => ({
    subject: "You are invited to a flight school's records",
    text: `${inviter} invites you to ${organization}, as ${roles.join(", ")}.

Follow this link to accept:
${link}

It works once, until ${whenIn("en", expiresAt)} UTC.
If you did not expect this mail, ignore it.
`,
  }),
  de: ({ inviter, organization, roles, link, expiresAt }) => ({
    subject: "Einladung zu den Daten einer Flugschule",
    text: `${inviter} lädt Sie zu ${organization} ein, als ${roles.map((role) => germanRoles[role]).join(", ")}.

Öffnen Sie diesen Link, um die Einladung anzunehmen:
${link}

Er gilt einmal, bis ${whenIn("de", expiresAt)} UTC.
Wenn Sie diese E-Mail nicht erwartet haben, ignorieren Sie sie.
`,
  }),
};

const germanRoles: Record<Role, string> = {
  owner: "Inhaber",
  admin: "Verwaltung",
  instructor: "Fluglehrer",
  mechanic: "Technik",
  accountant: "Buchhaltung",
  student: "Flugschüler",
};

function whenIn(language: Language, at: Instant): string {
  const date = longDateIn(language, Temporal.PlainDate.from(at.slice(0, 10)));
  const time = at.slice(11, 16);
  return language === "de" ? `${date}, ${time} Uhr` : `${date}, ${time}`;
}
