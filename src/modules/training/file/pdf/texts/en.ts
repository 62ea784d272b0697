/** What a training file says in English, and what there is to say. */
import type { Measure } from "../../../../compliance/rules/training-minima.ts";
import type { Enrollment } from "../../../enrollments/enrollments.shapes.ts";
import type { OrganizationKind, ProgramKind } from "../../../programs/program-kinds.ts";
import type { Missing } from "../../../progress/progress.schemas.ts";
import type { Lesson } from "../../../revisions/syllabus.schemas.ts";
import type { FlownFlight } from "../../file.shapes.ts";

/** Of a minimum for a long cross-country flight. */
interface Long {
  distance_km: number | null;
  full_stops_elsewhere: number | null;
}

export interface FileTexts {
  title: string;
  page(number: number, count: number): string;
  made(minute: string): string;
  none: string;
  unknown: string;
  yes: string;
  no: string;
  school: {
    heading: string;
    name: string;
    kind: string;
    kinds: Readonly<Record<OrganizationKind, string>>;
    number: string;
    authority: string;
    home: string;
  };
  student: {
    heading: string;
    name: string;
    born: string;
    licence: string;
    licenceOf(number: string, authority: string | null): string;
  };
  training: {
    heading: string;
    program: string;
    kind: string;
    kinds: Readonly<Record<ProgramKind, string>>;
    revision: string;
    revisionFrom(number: number, day: string): string;
    legalBasis: string;
    classes: string;
    status: string;
    statuses: Readonly<Record<Enrollment["status"], string>>;
    started: string;
    ended: string;
    planned: string;
    reason: string;
    remarks: string;
    grades: string;
    /** @param passes whether the grade passes */
    grade(code: string, name: string, passes: boolean): string;
  };
  credits: { heading: string; measure: string; amount: string; reason: string; pack(day: string): string };
  standing: {
    heading: string;
    measures: Readonly<Record<Exclude<Measure, "long_cross_country">, string>>;
    long(minimum: Long): string;
    columns: { measure: string; required: string; done: string; credited: string; missing: string; basis: string };
    items: string;
    itemsDone(done: number, total: number): string;
    open: string;
    complete: string;
    missing: Readonly<Record<Exclude<Missing, Measure>, string>>;
  };
  records: {
    heading: string;
    columns: { type: string; number: string; issuedBy: string; issued: string; until: string };
    levels: Readonly<Record<string, string>>;
    unlimited: string;
    withdrawn(day: string): string;
    hidden: string;
  };
  exams: {
    heading: string;
    columns: { date: string; exam: string; sitting: string; result: string; examiner: string };
    skillTest: string;
    passed: string;
    failed: string;
    theory(complete: boolean, until: string | null): string;
    voided(reason: string): string;
  };
  syllabus: { heading: string; columns: { code: string; lesson: string; kind: string; done: string; last: string } };
  kinds: Readonly<Record<Lesson["kind"], string>>;
  lessons: {
    heading: string;
    item: string;
    grade: string;
    remarks: string;
    instructor: string;
    student: string;
    signed(minute: string): string;
    /** Who recorded it for the instructor; null: an account that was erased. */
    entered(name: string | null): string;
    acknowledged(minute: string): string;
    unacknowledged: string;
    ground(duration: string): string;
    solo(supervisor: string): string;
    unnamed: string;
    milestones: { first_solo: string; first_solo_cross_country: string };
    revision(number: number): string;
    voided(minute: string, reason: string): string;
    uncounted: string;
  };
  flights: {
    heading: string;
    columns: {
      date: string;
      times: string;
      route: string;
      aircraft: string;
      lesson: string;
      as: string;
      instructor: string;
      block: string;
      landings: string;
      night: string;
      ifr: string;
      away: string;
    };
    functions: Readonly<Record<FlownFlight["function"] | "session", string>>;
    sums: string;
    of: Readonly<Record<"total" | "dual" | "solo" | "spic" | "away" | "soloAway" | "simulator" | "landings", string>>;
    supervised(name: string, flights: number, duration: string): string;
    notes: { uncounted: string; imported: string; supervisor: string };
    waiting(count: number): string;
  };
  state: {
    heading: string;
    /** @param isWhole whether it has what was voided */
    text(minute: string, isWhole: boolean): string;
    counts(of: { lessons: number; sessions: number; flights: number; exams: number }): string;
    digest: string;
    confirmed: string;
  };
}

export const en: FileTexts = {
  title: "Training file",
  page: (number, count) => `Page ${number} of ${count}`,
  made: (minute) => `made ${minute}`,
  none: "None",
  unknown: "not known",
  yes: "yes",
  no: "no",
  school: {
    heading: "Training organisation",
    name: "Name",
    kind: "Kind",
    kinds: {
      ato: "Approved training organisation (ATO)",
      dto: "Declared training organisation (DTO)",
      club: "Club",
    },
    number: "Approval or declaration",
    authority: "Competent authority",
    home: "Home aerodrome",
  },
  student: {
    heading: "Student",
    name: "Name",
    born: "Date of birth",
    licence: "Licence",
    licenceOf: (number, authority) => (authority === null ? number : `${number} (${authority})`),
  },
  training: {
    heading: "Programme and enrollment",
    program: "Programme",
    kind: "Training for",
    kinds: {
      lapl_a: "LAPL(A)",
      ppl_a: "PPL(A)",
      sep: "Class rating SEP",
      tmg: "Class rating TMG",
      night: "Night rating",
      aerobatic: "Aerobatic rating",
      mountain: "Mountain rating",
      towing: "Towing rating",
      mep: "Class rating MEP",
      ir: "Instrument rating",
      fi: "Flight instructor certificate",
      cri: "Class rating instructor certificate",
      fe: "Flight examiner certificate",
      cpl: "CPL",
      atpl: "ATPL",
      other: "Training of the organisation's own, for no licence and no rating",
    },
    revision: "Revision",
    revisionFrom: (number, day) => `${number}, in effect from ${day}`,
    legalBasis: "Legal basis",
    classes: "Aircraft that count",
    status: "Status",
    statuses: { active: "In training", suspended: "Suspended", completed: "Completed", withdrawn: "Withdrawn" },
    started: "Enrolled from",
    ended: "Ended on",
    planned: "Planned until",
    reason: "Reason",
    remarks: "Remarks",
    grades: "Grades",
    grade: (code, name, passes) => `${code}: ${name}${passes ? "" : " (does not pass)"}`,
  },
  credits: {
    heading: "Credited earlier training",
    measure: "What",
    amount: "Amount",
    reason: "Reason",
    pack: (day) => `From an evidence pack of ${day}.`,
  },
  standing: {
    heading: "Minima, and what was done",
    measures: {
      total_minutes: "Flight time",
      dual_minutes: "Dual flight instruction",
      solo_minutes: "Supervised solo flight time",
      cross_country_minutes: "Cross-country flight time",
      dual_cross_country_minutes: "Dual cross-country",
      solo_cross_country_minutes: "Solo cross-country",
      night_minutes: "Flight time at night",
      dual_night_minutes: "Dual at night",
      instrument_minutes: "Instrument flight time",
      simulator_minutes: "Training device (FSTD)",
      ground_minutes: "Ground instruction",
      landings: "Landings",
      solo_landings: "Solo landings",
      solo_night_landings: "Solo landings at night",
      age: "Age, in years",
    },
    long: ({ distance_km, full_stops_elsewhere }) =>
      `Solo cross-country flight of at least ${distance_km ?? 0} km with ${full_stops_elsewhere ?? 0} full-stop landings elsewhere`,
    columns: {
      measure: "Minimum",
      required: "Required",
      done: "Done",
      credited: "Of it credited",
      missing: "Missing",
      basis: "Legal basis",
    },
    items: "Exercises of the programme",
    itemsDone: (done, total) => `${done} of ${total} done`,
    open: "Missing",
    complete: "Nothing: the training is complete.",
    missing: { items: "Exercises", theory: "Theory exams", skill_test: "Skill test" },
  },
  records: {
    heading: "Licences, ratings and medical certificates",
    columns: { type: "Document", number: "Number", issuedBy: "Issued by", issued: "Issued", until: "Valid until" },
    levels: { class_1: "class 1", class_2: "class 2", lapl: "LAPL", ppl: "PPL", cpl: "CPL", atpl: "ATPL" },
    unlimited: "unlimited",
    withdrawn: (day) => `withdrawn ${day}`,
    hidden: "Not shown: the reader may not see them.",
  },
  exams: {
    heading: "Exams",
    columns: { date: "Date", exam: "Exam", sitting: "Sitting", result: "Result", examiner: "Examiner" },
    skillTest: "Skill test",
    passed: "passed",
    failed: "not passed",
    theory: (complete, until) =>
      complete
        ? `All subjects of the theory are passed${until === null ? "." : `, valid until ${until}.`}`
        : "Subjects of the theory are missing.",
    voided: (reason) => `Void: ${reason}`,
  },
  syllabus: {
    heading: "Syllabus",
    columns: { code: "Code", lesson: "Lesson", kind: "Kind", done: "Exercises done", last: "Last given" },
  },
  kinds: { dual: "dual", solo: "solo", simulator: "FSTD", ground: "ground" },
  lessons: {
    heading: "Lessons, in the order in which they were given",
    item: "Exercise",
    grade: "Grade",
    remarks: "Remarks",
    instructor: "Instructor",
    student: "Student",
    signed: (minute) => `Signed ${minute}`,
    entered: (name) => `Recorded by ${name ?? "another member"} for the instructor`,
    acknowledged: (minute) => `Acknowledged ${minute}`,
    unacknowledged: "Not acknowledged yet",
    ground: (duration) => `Ground instruction, ${duration}`,
    solo: (supervisor) => `solo, authorised and supervised by ${supervisor}`,
    unnamed: "nobody who is named",
    milestones: { first_solo: "First solo flight", first_solo_cross_country: "First solo cross-country flight" },
    revision: (number) => `revision ${number}`,
    voided: (minute, reason) => `VOID since ${minute}: ${reason}`,
    uncounted: "does not count: its flight was rejected or reversed",
  },
  flights: {
    heading: "Flights of the training",
    columns: {
      date: "Date",
      times: "Off – on",
      route: "From – to",
      aircraft: "Aircraft",
      lesson: "Lesson",
      as: "As",
      instructor: "Instructor",
      block: "Block",
      landings: "Ldg",
      night: "Night",
      ifr: "IFR",
      away: "XC km",
    },
    functions: { dual: "dual", solo: "solo", spic: "SPIC", session: "FSTD" },
    sums: "Sums of the flights that count, without credits",
    of: {
      total: "Flight time",
      dual: "Dual",
      solo: "Solo",
      spic: "SPIC",
      away: "Cross-country",
      soloAway: "Solo cross-country",
      simulator: "FSTD",
      landings: "Landings",
    },
    supervised: (name, flights, duration) =>
      `Supervised by ${name}: ${flights} ${flights === 1 ? "solo flight" : "solo flights"}, ${duration}`,
    notes: {
      uncounted: "* In an aircraft of a class that does not count towards the minima.",
      imported: "i: Imported from earlier records.",
      supervisor: "s: The instructor who authorised and supervised the solo flight (FCL.020).",
    },
    waiting: (count) =>
      count === 1
        ? "One flight waits for its approval, and is not in this file."
        : `${count} flights wait for their approval, and are not in this file.`,
  },
  state: {
    heading: "What this file was made from",
    text: (minute, isWhole) =>
      `Made ${minute} from the records of the training organisation as they were then. Days and times of flights and signatures are in UTC.${isWhole ? " Records of lessons, ground sessions and exams are never edited: a mistake is voided, and stays in this file." : ""} Notes among instructors are not part of it.`,
    counts: ({ lessons, sessions, flights, exams }) =>
      `Signed lessons and exercises: ${lessons}. Ground sessions: ${sessions}. Approved flights: ${flights}. Exams: ${exams}.`,
    digest: "SHA-256 of these records. Files with the same digest are of the same records:",
    confirmed: "For the training organisation: date, name, signature",
  },
};
