/** What the page of a link to a pack says. */
import type { Language } from "../../../core/languages.ts";
import type { Verification } from "./verification.schemas.ts";

interface Judgement {
  title: string;
  text: string;
}

interface VerificationTexts {
  pack(judgement: string): string;
  invalid: Judgement;
  superseded: Judgement;
  valid: Judgement;
  kinds: Readonly<Record<Verification["type"], string>>;
  noRecords: string;
  between(from: string, to: string): string;
  issuedBy: string;
  subject: string;
  content: string;
  period: string;
  issued: string;
  manifest: string;
  file: string;
  key: string;
  replaced(at: string): string;
  /** With the commands. */
  hint(verify: string, digest: string): string;
  none: Judgement;
}

const en: VerificationTexts = {
  pack: (judgement) => `Evidence pack: ${judgement}`,
  invalid: {
    title: "not valid",
    text: "The signature does not match what is stored. Do not rely on this evidence pack.",
  },
  superseded: {
    title: "valid, but superseded",
    text: "The signature is valid. A newer evidence pack of the issuer replaces this one.",
  },
  valid: { title: "valid", text: "The signature is valid, and no newer evidence pack replaces this one." },
  kinds: {
    pilot_portable: "Flights, records and training of a pilot",
    compliance_pack: "State of the organization",
  },
  noRecords: "No records",
  between: (from, to) => `${from} to ${to}`,
  issuedBy: "Issued by",
  subject: "For",
  content: "Content",
  period: "Period",
  issued: "Issued",
  manifest: "SHA-256 of its manifest, which is signed",
  file: "SHA-256 of the file, as stored here",
  key: "Key of the issuer",
  replaced: (at) => `replaced ${at}`,
  hint: (verify, digest) =>
    `This says nothing yet about your file. ${verify}, with the key above, checks all of it. Or compare the first digest: ${digest}. The manifest has the digests of the other parts.`,
  none: {
    title: "This link is not valid",
    text: "It may be mistyped, have expired or been revoked. Ask the person who gave it to you for another.",
  },
};

const de: VerificationTexts = {
  pack: (judgement) => `Nachweispaket: ${judgement}`,
  invalid: {
    title: "ungültig",
    text: "Die Signatur passt nicht zu dem, was gespeichert ist. Verlassen Sie sich nicht auf dieses Nachweispaket.",
  },
  superseded: {
    title: "gültig, aber überholt",
    text: "Die Signatur ist gültig. Ein neueres Nachweispaket des Ausstellers ersetzt dieses.",
  },
  valid: { title: "gültig", text: "Die Signatur ist gültig, und kein neueres Nachweispaket ersetzt dieses." },
  kinds: {
    pilot_portable: "Flüge, Nachweise und Ausbildung eines Piloten",
    compliance_pack: "Stand der Flugschule",
  },
  noRecords: "Keine Einträge",
  between: (from, to) => `${from} bis ${to}`,
  issuedBy: "Ausgestellt von",
  subject: "Für",
  content: "Inhalt",
  period: "Zeitraum",
  issued: "Ausgestellt am",
  manifest: "SHA-256 des Manifests, das signiert ist",
  file: "SHA-256 der Datei, wie sie hier gespeichert ist",
  key: "Schlüssel des Ausstellers",
  replaced: (at) => `ersetzt am ${at}`,
  hint: (verify, digest) =>
    `Über Ihre Datei sagt das noch nichts. ${verify} mit dem Schlüssel oben prüft sie ganz. Oder vergleichen Sie die erste Prüfsumme: ${digest}. Das Manifest enthält die Prüfsummen der übrigen Teile.`,
  none: {
    title: "Dieser Link ist ungültig",
    text: "Er ist vielleicht falsch abgeschrieben, abgelaufen oder zurückgezogen. Fragen Sie die Person, die ihn Ihnen gegeben hat, nach einem neuen.",
  },
};

const catalogues: Record<Language, VerificationTexts> = { en, de };

export const verificationTexts = (language: Language): VerificationTexts => catalogues[language];
