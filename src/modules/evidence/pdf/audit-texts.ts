/** What the PDF of an organization's state says to an inspector. */
import type { Language } from "../../../core/languages.ts";
import type { Item } from "../../maintenance/items/items.shapes.ts";
import type { AuditedAircraft } from "../packs/read-audit.ts";

interface AuditTexts {
  /** The titles of its parts. */
  school: string;
  files: string;
  fleet: string;
  stateOf(day: string): string;
  programs: {
    heading: string;
    columns: Readonly<Record<"name" | "kind" | "revision" | "from" | "basis" | "students", string>>;
  };
  students: {
    heading: string;
    columns: Readonly<
      Record<"name" | "program" | "status" | "from" | "total" | "dual" | "solo" | "items" | "page", string>
    >;
    asMade(minute: string): string;
  };
  aircraft: {
    none: string;
    released: string;
    dueAsMade(minute: string): string;
    grounded: string;
    isNot: string;
    kinds: Readonly<Record<AuditedAircraft["groundings"][number]["kind"], string>>;
    missing(document: string): string;
    papers: string;
    units: { hours(count: string): string; months(count: number): string; landings(count: string): string };
    counters: Readonly<Record<Item["hours_counter"], string>>;
    due: {
      heading: string;
      columns: Readonly<Record<"task" | "every" | "last" | "due" | "left" | "status", string>>;
      statuses: Readonly<Record<Item["status"], string>>;
      past: string;
    };
    releases: {
      heading: string;
      columns: Readonly<Record<"on" | "number" | "work" | "by" | "approval" | "hours", string>>;
    };
    orders: {
      heading: string;
      columns: Readonly<Record<"number" | "work" | "state", string>>;
      begun(minute: string): string;
      planned: string;
    };
    defects: {
      heading: string;
      columns: Readonly<Record<"reported" | "defect" | "state", string>>;
      grounding: string;
      deferred(until: string | null, reason: string): string;
    };
  };
}

const en: AuditTexts = {
  school: "Organisation, programmes and students",
  files: "Training files of the students",
  fleet: "Aircraft: releases and what is due",
  stateOf: (day) => `State of ${day}`,
  programs: {
    heading: "Training programmes",
    columns: {
      name: "Programme",
      kind: "Training for",
      revision: "Revision",
      from: "In effect from",
      basis: "Legal basis",
      students: "In training",
    },
  },
  students: {
    heading: "Students",
    columns: {
      name: "Student",
      program: "Programme",
      status: "Status",
      from: "Enrolled",
      total: "Flown",
      dual: "Dual",
      solo: "Solo",
      items: "Exercises",
      page: "Page",
    },
    asMade: (minute) =>
      `Who had begun by the day, without trainings that had ended a year before. Training is as it was recorded when this was made, ${minute}. The training file of each student follows, with hours, exams, lessons, grades and signatures.`,
  },
  aircraft: {
    none: "None",
    released: "Releases are those of the year before the day.",
    dueAsMade: (minute) => `What is due is as it was when this was made, ${minute}: of an earlier day it is not known.`,
    grounded: "Grounded",
    isNot: "No",
    kinds: { by_hand: "By a member", defect: "Defect", maintenance: "Maintenance overdue", record: "Document" },
    missing: (document) => `Not valid: ${document}`,
    papers: "Documents",
    units: {
      hours: (count) => `${count} h`,
      months: (count) => (count === 1 ? "1 month" : `${count} months`),
      landings: (count) => `${count} landings`,
    },
    counters: { airframe: "Airframe", hobbs: "Hobbs", tacho: "Tacho" },
    due: {
      heading: "What is due",
      columns: { task: "Task", every: "Every", last: "Last done", due: "Due", left: "Left", status: "Status" },
      statuses: { ok: "in order", upcoming: "due soon", overdue: "overdue" },
      past: "past tolerance",
    },
    releases: {
      heading: "Releases to service",
      columns: {
        on: "Date",
        number: "Order",
        work: "Work, findings, maintenance data",
        by: "Certified by",
        approval: "Approval",
        hours: "Airframe h",
      },
    },
    orders: {
      heading: "Work orders that are not released",
      columns: { number: "Order", work: "Work", state: "State" },
      begun: (minute) => `begun ${minute}`,
      planned: "not begun",
    },
    defects: {
      heading: "Open defects",
      columns: { reported: "Reported", defect: "Defect", state: "State" },
      grounding: "grounds the aircraft",
      deferred: (until, reason) => `deferred${until === null ? "" : ` until ${until}`}: ${reason}`,
    },
  },
};

const de: AuditTexts = {
  school: "Flugschule, Programme und Flugschüler",
  files: "Ausbildungsakten der Flugschüler",
  fleet: "Luftfahrzeuge: Freigaben und Fälligkeiten",
  stateOf: (day) => `Stand vom ${day}`,
  programs: {
    heading: "Ausbildungsprogramme",
    columns: {
      name: "Programm",
      kind: "Ausbildung zu",
      revision: "Fassung",
      from: "Gültig ab",
      basis: "Rechtsgrundlage",
      students: "In Ausbildung",
    },
  },
  students: {
    heading: "Flugschüler",
    columns: {
      name: "Flugschüler",
      program: "Programm",
      status: "Status",
      from: "Beginn",
      total: "Flugzeit",
      dual: "Dual",
      solo: "Solo",
      items: "Übungen",
      page: "Seite",
    },
    asMade: (minute) =>
      `Wer bis zu diesem Tag begonnen hatte, ohne Ausbildungen, die ein Jahr davor beendet waren. Die Ausbildung ist auf dem Stand, der bei der Erstellung aufgezeichnet war, ${minute}. Es folgt die Ausbildungsakte jedes Flugschülers mit Stunden, Prüfungen, Lektionen, Bewertungen und Unterschriften.`,
  },
  aircraft: {
    none: "Keine",
    released: "Freigaben aus dem Jahr vor diesem Tag.",
    dueAsMade: (minute) =>
      `Die Fälligkeiten sind auf dem Stand der Erstellung, ${minute}: Für einen früheren Tag sind sie nicht bekannt.`,
    grounded: "Gesperrt",
    isNot: "Nein",
    kinds: { by_hand: "Von Hand", defect: "Beanstandung", maintenance: "Wartung überfällig", record: "Nachweis" },
    missing: (document) => `Nicht gültig: ${document}`,
    papers: "Nachweise",
    units: {
      hours: (count) => `${count} h`,
      months: (count) => (count === 1 ? "1 Monat" : `${count} Monate`),
      landings: (count) => `${count} Landungen`,
    },
    counters: { airframe: "Zelle", hobbs: "Hobbs", tacho: "Tacho" },
    due: {
      heading: "Fälligkeiten",
      columns: {
        task: "Arbeit",
        every: "Alle",
        last: "Zuletzt",
        due: "Fällig",
        left: "Restlich",
        status: "Status",
      },
      statuses: { ok: "in Ordnung", upcoming: "bald fällig", overdue: "überfällig" },
      past: "über der Toleranz",
    },
    releases: {
      heading: "Freigaben",
      columns: {
        on: "Datum",
        number: "Auftrag",
        work: "Arbeiten, Befunde, Instandhaltungsunterlagen",
        by: "Freigegeben von",
        approval: "Genehmigung",
        hours: "Zelle, h",
      },
    },
    orders: {
      heading: "Nicht freigegebene Aufträge",
      columns: { number: "Auftrag", work: "Arbeit", state: "Stand" },
      begun: (minute) => `begonnen ${minute}`,
      planned: "nicht begonnen",
    },
    defects: {
      heading: "Offene Beanstandungen",
      columns: { reported: "Gemeldet", defect: "Beanstandung", state: "Stand" },
      grounding: "sperrt das Luftfahrzeug",
      deferred: (until, reason) => `zurückgestellt${until === null ? "" : ` bis ${until}`}: ${reason}`,
    },
  },
};

const catalogues: Record<Language, AuditTexts> = { en, de };

export const auditTexts = (language: Language): AuditTexts => catalogues[language];
