/** What the page of a pack says. */
import type { Language } from "../../../core/languages.ts";
import { hours } from "../../../pdf/formats.ts";
import type { Figures } from "../packs/contents.ts";

type Line = readonly [name: string, value: string];

interface PackTexts {
  pack: string;
  titles: Readonly<Record<Figures["type"], string>>;
  scan: string;
  issuedBy: string;
  approval: string;
  /** Before what is listed with its first page. */
  inside: Readonly<Record<Figures["type"], string>>;
  fromPage(title: string, page: number): string;
  about: string;
  made: string;
  /** The day of which the state is; the days of the first and the last record. */
  stateOf: string;
  period: string;
  between(from: string, to: string): string;
  noRecords: string;
  figures(of: Figures): readonly Line[];
  contents: string;
  contentsNote: string;
  verify: string;
  link: string;
  id: string;
  key: string;
  keys: string;
  offline: string;
  howOffline: string;
}

const en: PackTexts = {
  pack: "Evidence pack",
  titles: {
    pilot_portable: "Flights, records and training of a pilot",
    compliance_pack: "State of the organization",
  },
  scan: "Scan to verify this pack",
  issuedBy: "Issued by",
  approval: "Approval",
  inside: { pilot_portable: "Training", compliance_pack: "In this file" },
  fromPage: (title, page) => `${title}, from page ${page}`,
  about: "For",
  made: "Made",
  stateOf: "State of",
  period: "Period",
  between: (from, to) => `${from} to ${to}`,
  noRecords: "No records",
  figures: (of) =>
    of.type === "pilot_portable"
      ? [
          ["Flights", String(of.flights)],
          ["Flight time, approved", hours(of.approved_minutes)],
          ["Flight time, imported", hours(of.imported_minutes)],
        ]
      : [
          ["People", String(of.people)],
          ["Aircraft", `${of.aircraft}, grounded: ${of.grounded}`],
          ["People and aircraft not compliant", String(of.lacking)],
          ["Open defects", String(of.defects)],
        ],
  contents: "What is in the pack",
  contentsNote: "The number of bytes, and the SHA-256 digest.",
  verify: "How to verify it",
  link: "Link",
  id: "Pack",
  key: "Key of the issuer",
  keys: "Public keys",
  offline: "Without a network",
  howOffline:
    "windsock verify FILE --key KEY checks the whole file, with the thumbprint of the key or a file with the public keys. This page alone proves nothing: compare it with what the link shows.",
};

const de: PackTexts = {
  pack: "Nachweispaket",
  titles: {
    pilot_portable: "Flüge, Nachweise und Ausbildung eines Piloten",
    compliance_pack: "Stand der Flugschule",
  },
  scan: "Zum Prüfen scannen",
  issuedBy: "Ausgestellt von",
  approval: "Zulassung",
  inside: { pilot_portable: "Ausbildung", compliance_pack: "In dieser Datei" },
  fromPage: (title, page) => `${title}, ab Seite ${page}`,
  about: "Für",
  made: "Erstellt",
  stateOf: "Stand vom",
  period: "Zeitraum",
  between: (from, to) => `${from} bis ${to}`,
  noRecords: "Keine Einträge",
  figures: (of) =>
    of.type === "pilot_portable"
      ? [
          ["Flüge", String(of.flights)],
          ["Flugzeit, freigegeben", hours(of.approved_minutes)],
          ["Flugzeit, importiert", hours(of.imported_minutes)],
        ]
      : [
          ["Personen", String(of.people)],
          ["Luftfahrzeuge", `${of.aircraft}, davon gesperrt: ${of.grounded}`],
          ["Personen und Luftfahrzeuge mit fehlenden Nachweisen", String(of.lacking)],
          ["Offene Beanstandungen", String(of.defects)],
        ],
  contents: "Inhalt des Pakets",
  contentsNote: "Größe in Byte und SHA-256-Prüfsumme.",
  verify: "So wird es geprüft",
  link: "Link",
  id: "Paket",
  key: "Schlüssel des Ausstellers",
  keys: "Öffentliche Schlüssel",
  offline: "Ohne Netz",
  howOffline:
    "windsock verify DATEI --key SCHLÜSSEL prüft die ganze Datei, mit dem Fingerabdruck des Schlüssels oder einer Datei mit den öffentlichen Schlüsseln. Diese Seite allein beweist nichts: Vergleichen Sie sie mit dem, was der Link zeigt.",
};

const catalogues: Record<Language, PackTexts> = { en, de };

export const packTexts = (language: Language): PackTexts => catalogues[language];
