import type { Texts } from "./en.ts";

export const de: Texts = {
  verification: ({ publicUrl, link }) => ({
    subject: "Bestätigen Sie Ihre E-Mail-Adresse",
    text: `Mit dieser E-Mail-Adresse wurde, vermutlich von Ihnen, ein Konto angelegt:
${publicUrl}

Öffnen Sie innerhalb von 24 Stunden diesen Link, um zu bestätigen, dass die
Adresse Ihnen gehört:

${link}

Wenn Sie dort kein Konto haben, ignorieren Sie diese E-Mail. Die Adresse
bleibt dann unbestätigt.
`,
  }),
  reset: ({ publicUrl, link }) => ({
    subject: "Wählen Sie ein neues Passwort",
    text: `Für Ihr Konto wurde, vermutlich von Ihnen, ein neues Passwort angefordert:
${publicUrl}

Öffnen Sie innerhalb von 30 Minuten diesen Link, um eines zu wählen:

${link}

Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Ihr Passwort
bleibt dann unverändert. Geben Sie den Link an niemanden weiter.
`,
  }),
  notices: {
    password_changed: {
      subject: "Ihr Passwort wurde geändert",
      before: "Das Passwort Ihres Kontos unter",
      after: "wurde soeben geändert. Alle anderen Geräte wurden abgemeldet.",
    },
    provider_linked: {
      subject: "Eine weitere Anmeldemöglichkeit wurde hinzugefügt",
      before: "Ihr Konto unter",
      after: "wurde mit dem Konto eines Anbieters verknüpft. Damit kann man sich jetzt anmelden.",
    },
    second_factor_added: {
      subject: "Die Zwei-Faktor-Anmeldung wurde eingeschaltet",
      before: "Ihr Konto unter",
      after: "verlangt bei der Anmeldung jetzt den Code einer Authenticator-App.",
    },
    second_factor_removed: {
      subject: "Die Zwei-Faktor-Anmeldung wurde ausgeschaltet",
      before: "Ihr Konto unter",
      after: "verlangt bei der Anmeldung keinen Code einer Authenticator-App mehr.",
    },
    recovery_code_used: {
      subject: "Ein Wiederherstellungscode wurde verwendet",
      before: "Ein Wiederherstellungscode Ihres Kontos unter",
      after: "wurde soeben anstelle der Authenticator-App verwendet. Er ist damit ungültig.",
    },
  },
  notYou: `Wenn Sie das nicht waren, fordern Sie dort sofort ein neues Passwort an
(„Passwort vergessen“) und informieren Sie den Betreiber der Installation
Ihrer Flugschule.`,
};
