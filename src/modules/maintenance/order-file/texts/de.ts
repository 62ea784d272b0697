import { releaseStatements } from "../../../../core/release-statement.ts";
import type { OrderTexts } from "./en.ts";

export const de: OrderTexts = {
  title: { open: "Werkstattauftrag", released: "Werkstattauftrag und Freigabebescheinigung" },
  page: (number, count) => `Seite ${number} von ${count}`,
  made: (minute) => `erstellt ${minute}`,
  aircraft: {
    heading: "Luftfahrzeug",
    registration: "Kennzeichen",
    model: "Muster",
    school: "Organisation",
  },
  order: {
    heading: "Werkstattauftrag",
    title: "Arbeit",
    status: "Stand",
    statuses: { open: "offen", in_progress: "in Arbeit", done: "freigegeben" },
    opened: "Eröffnet",
    started: "Begonnen",
    worked: "Arbeitsstunden",
  },
  items: { heading: "Wartungsaufgaben" },
  defects: { heading: "Beanstandungen", description: "Beanstandung", reported: "Gemeldet" },
  findings: { heading: "Befunde und ihre Behebung" },
  parts: {
    heading: "Eingebaute Teile",
    name: "Teil",
    part: "Teilenummer",
    serial: "Seriennummer",
    batch: "Charge",
    quantity: "Menge",
  },
  release: {
    heading: "Freigabebescheinigung (ML.A.801)",
    statement: releaseStatements.de,
    by: "Freigegeben von",
    licence: "Lizenz",
    approval: "Genehmigung",
    approvals: {
      cao: "CAO",
      part_145: "Part-145",
      independent: "Selbstständiges freigabeberechtigtes Personal",
      pilot_owner: "Pilot-Eigentümer",
    },
    data: "Instandhaltungsunterlagen",
    on: "Datum",
    airframe: "Zellenstunden",
    landings: "Landungen",
    entered: "Erfasst",
    signature: "Unterschrift",
    none: "Nicht für den Betrieb freigegeben. Dies ist keine Bescheinigung.",
  },
};
