import type { MailText, Missing, Texts } from "./en.ts";

const inDays = (days: number) => (days === 0 ? "heute" : `in ${days} ${days === 1 ? "Tag" : "Tagen"}`);

const medicalClasses: Readonly<Record<string, string>> = { class_1: "Klasse 1", class_2: "Klasse 2", lapl: "LAPL" };

const rating =
  (name: string) =>
  ({ owner, date, article, lines }: Missing): MailText => ({
    subject: `${owner === undefined ? "Ihre" : `${owner}:`} Klassenberechtigung ${name}: Was bis ${date} noch fehlt`,
    text: `${owner === undefined ? "Ihre Klassenberechtigung" : `Die Klassenberechtigung von ${owner}:`} ${name} ist bis ${date} gültig. Für die Verlängerung durch Flugerfahrung (${article}) fehlen bis dahin noch:\n\n${lines}\n\nSonst ist in den letzten drei Monaten vor diesem Tag eine Befähigungsüberprüfung mit einem Prüfer nötig.`,
  });

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
  revalidation: {
    sep: rating("SEP"),
    tmg: rating("TMG"),
    fi: ({ owner, date, article, lines, some }) => ({
      subject: `${owner === undefined ? "Ihre" : `${owner}:`} Lehrberechtigung FI: Was bis ${date} noch fehlt`,
      text: `${owner === undefined ? "Ihre Lehrberechtigung FI" : `Die Lehrberechtigung FI von ${owner}`} ist bis ${date} gültig. Für die Verlängerung (${article}) ${some === undefined ? "fehlt bis dahin noch" : some === 1 ? "ist bis dahin noch eines davon nötig" : `sind bis dahin noch ${some} davon nötig`}:\n\n${lines}`,
    }),
    lapl_a: ({ owner, date, article, lines }) => ({
      subject: `${owner === undefined ? "Ihr LAPL(A)" : `${owner}: LAPL(A)`}: fortlaufende Flugerfahrung bis ${date}`,
      text: `${owner === undefined ? "Sie haben" : `${owner} hat`} die fortlaufende Flugerfahrung für den LAPL(A) (${article}) bis ${date}. Damit sie nicht abreißt, ist bis dahin noch zu fliegen:\n\n${lines}\n\nEine Befähigungsüberprüfung mit einem Prüfer genügt auch. Nach diesem Tag wird Fehlendes mit Fluglehrer oder allein unter Aufsicht nachgeholt.`,
    }),
    lacks: {
      flight_minutes: (time) => `${time} Stunden Flugzeit`,
      pic_minutes: (time) => `davon ${time} Stunden als verantwortlicher Pilot (PIC)`,
      landings: (_, count) => (count === 1 ? "1 Start und Landung" : `${count} Starts und Landungen`),
      refresher_minutes: (time) => `${time} Stunden Übungsflug mit Fluglehrer`,
      pic_or_supervised_minutes: (time) => `${time} Stunden als PIC, mit Fluglehrer oder allein unter Aufsicht`,
      instructor_minutes: (time) => `${time} Stunden Auffrischungsschulung mit Fluglehrer`,
      instruction_minutes: (time) => `${time} Stunden Flugausbildung als Lehrberechtigter`,
      refresher_training: () => "eine Fortbildung für Lehrberechtigte",
      assessment_of_competence: () => "eine Kompetenzbeurteilung in den letzten zwölf Monaten vor diesem Tag",
    },
    obligatory: (what) => `${what} (diesmal Pflicht)`,
  },
  reason: (note) => `Grund: ${note}`,
  severalFrom: (what, count, first) => `${what}: ${count}, der erste am ${first}`,
  to: "bis",
  free: (when, until, studentsBook) => ({
    subject: `Frei: ${when}`,
    text: `Eine Zeit, auf die Sie warten, ist frei geworden:\n\n${when}\n\nSie ist nicht reserviert: ${studentsBook ? "Buchen Sie sie" : "Bitten Sie die Flugschule, sie zu buchen"}. Ab ${until} wird sie der nächsten Person auf der Warteliste angeboten.`,
  }),
  feet: {
    member: ({ school, publicUrl }) =>
      `Sie erhalten diese E-Mail als Mitglied von ${school} unter\n${publicUrl}\nIn den Benachrichtigungseinstellungen dort können Sie solche E-Mails abschalten.`,
    other: ({ school }) =>
      `${school} sendet Ihnen diese E-Mail, weil Ihre Daten dort geführt werden.\nWenn Sie solche E-Mails nicht wünschen, teilen Sie es der Flugschule mit.`,
  },
};
