import type { Texts } from "./en.ts";

const inDays = (days: number) => (days === 0 ? "heute" : `in ${days} ${days === 1 ? "Tag" : "Tagen"}`);

const medicalClasses: Readonly<Record<string, string>> = { class_1: "Klasse 1", class_2: "Klasse 2", lapl: "LAPL" };

export const de: Texts = {
  medical: (level) => `Tauglichkeitszeugnis (${medicalClasses[level ?? ""] ?? level})`,
  record: (typeName, level) => `Nachweis „${typeName}“${level === null ? "" : ` (${level})`}`,
  expiry({ what, owner, date, daysLeft }) {
    const when = daysLeft < 0 ? `ist am ${date} abgelaufen` : `läuft am ${date} ab`;
    const left = daysLeft < 0 ? "" : `, ${inDays(daysLeft)}`;
    const whose = owner === undefined ? `Ihr ${what}` : `${owner}: ${what}`;
    return { subject: `${whose} ${when}`, text: `${whose} ${when}${left}.` };
  },
  aircraft: {
    item_upcoming: { subject: (item) => `${item} ist bald fällig`, sentence: "Diese Wartung ist bald fällig." },
    item_overdue: { subject: (item) => `${item} ist überfällig`, sentence: "Diese Wartung ist überfällig." },
    work_order_opened: {
      subject: (title) => `Arbeitsauftrag eröffnet: ${title}`,
      sentence: "Dieser Arbeitsauftrag wurde eröffnet.",
    },
    aircraft_grounded: { subject: () => "Das Luftfahrzeug ist gesperrt", sentence: "Das Luftfahrzeug ist gesperrt." },
  },
  sessions: {
    session_requested: { one: "Termin angefragt", several: "Termine angefragt" },
    session_booked: { one: "Termin gebucht", several: "Termine gebucht" },
    session_moved: { one: "Termin geändert", several: "Termine geändert" },
    session_cancelled: { one: "Termin abgesagt", several: "Termine abgesagt" },
    session_left: { one: "Sie nehmen nicht mehr teil", several: "Sie nehmen nicht mehr teil" },
  },
  reason: (note) => `Grund: ${note}`,
  severalFrom: (what, count, first) => `${what}: ${count}, der erste am ${first}`,
  to: "bis",
  free: (when, until) => ({
    subject: `Frei: ${when}`,
    text: `Eine Zeit, auf die Sie warten, ist frei geworden:\n\n${when}\n\nSie ist nicht reserviert: Buchen Sie sie. Ab ${until} wird sie der nächsten Person auf der Warteliste angeboten.`,
  }),
  feet: {
    member: ({ school, publicUrl }) =>
      `Sie erhalten diese E-Mail als Mitglied von ${school} unter\n${publicUrl}\nIn den Benachrichtigungseinstellungen dort können Sie solche E-Mails abschalten.`,
    other: ({ school }) =>
      `${school} sendet Ihnen diese E-Mail, weil Ihre Daten dort geführt werden.\nWenn Sie solche E-Mails nicht wünschen, teilen Sie es der Flugschule mit.`,
  },
};
