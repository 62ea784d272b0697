/** The rules of the clearance at their edges. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Instant } from "../../../src/core/clock.ts";
import type { LegalDate } from "../../../src/core/dates.ts";
import type { PersonId } from "../../../src/core/ids.ts";
import { decisionOf } from "../../../src/modules/clearance/judge.ts";
import { type Action, type RuleKey, ruleKeys } from "../../../src/modules/rules/clearance-rules.ts";
import { flown, type Given, held, judge, met, pilotRecords, rules, told, trained, withdrawn } from "./facts.ts";

const without = (...types: string[]) => pilotRecords.filter(({ type }) => !types.includes(type));
const instead = (...records: ReturnType<typeof held>[]) => [...without(...records.map(({ type }) => type)), ...records];
const withRecords = (...records: ReturnType<typeof held>[]) => ({ person: { records: instead(...records) } });

test("a pilot with all records is clear, and on a day before they were issued is not", () => {
  expect(told({})).toEqual([]);
  expect(rules({ at: "2018-07-01T08:00:00.000Z" })).toEqual([
    ...["medical_missing", "licence", "rating", "language_proficiency"],
  ]);
});

describe("a medical certificate", () => {
  const until = (last: string) => withRecords(held("medical class_2", "2025-01-10", last));

  test.each([
    ["on its last day", "2026-07-01", "2026-07-01T08:00:00.000Z", []],
    ["on the day after", "2026-06-30", "2026-07-01T08:00:00.000Z", ["medical_expired"]],
    ["until the end of its last day in Berlin", "2026-06-30", "2026-06-30T21:30:00.000Z", []],
    ["in the first minute of the next day in Berlin", "2026-06-30", "2026-06-30T22:00:00.000Z", ["medical_expired"]],
    ["until the end of a leap day that is its last", "2028-02-29", "2028-02-29T22:30:00.000Z", []],
    ["on the day after a leap day", "2028-02-29", "2028-02-29T23:30:00.000Z", ["medical_expired"]],
  ])("%s", (_, last, at, expected) => {
    const records = [...without("medical", "sep", "elp"), held("sep", "2025-01-01"), held("elp 6", "2025-01-01")];
    const medical = held("medical class_2", "2025-01-10", last);
    expect(rules({ at, minutes: 30, person: { records: [...records, medical] } })).toEqual(expected);
  });

  test("in another time zone the day is another", () => {
    const given = { ...until("2026-06-30"), at: "2026-06-30T22:00:00.000Z" };
    expect(rules({ ...given, school: { time_zone: "UTC" } })).toEqual([]);
    expect(rules({ ...given, school: { time_zone: "Pacific/Kiritimati" } })).toEqual(["medical_expired"]);
  });

  test("that was superseded since counts on a day when it was valid", () => {
    const both = withRecords(
      held("medical class_2", "2024-01-10", "2026-03-01"),
      held("medical class_2", "2026-05-01", "2028-05-01"),
    );
    expect(rules({ ...both, at: "2026-02-01T08:00:00.000Z" })).toEqual([]);
    expect(rules({ ...both, at: "2026-04-01T08:00:00.000Z" })).toEqual(["medical_expired"]);
    expect(rules({ ...both, at: "2026-06-01T08:00:00.000Z" })).toEqual([]);
  });

  test("of several of a class, the newest issued by the day counts, although an older one is valid longer", () => {
    const typingError = held("medical class_2", "2024-01-10", "2029-01-10");
    const newest = held("medical class_2", "2026-05-01", "2026-06-15");
    const on = (date: string, ...records: ReturnType<typeof held>[]) =>
      rules({ at: `${date}T08:00:00.000Z`, person: { records: [...without("medical"), ...records] } });
    for (const both of [
      [typingError, newest],
      [newest, typingError],
    ]) {
      expect(on("2026-04-30", ...both)).toEqual([]);
      expect(on("2026-06-15", ...both)).toEqual([]);
      expect(on("2026-06-16", ...both)).toEqual(["medical_expired"]);
    }
    // Of the same day, the one that was entered later.
    const entered = (at: string) => ({ ...newest, issued_on: typingError.issued_on, entered_at: at as Instant });
    expect(on("2026-06-16", entered("2025-12-31T23:59:59.999Z"), typingError)).toEqual([]);
    expect(on("2026-06-16", typingError, entered("2026-01-01T00:00:00.001Z"))).toEqual(["medical_expired"]);
    // A class is a document of its own.
    expect(on("2026-06-16", newest, held("medical lapl", "2024-01-10", "2029-01-10"))).toEqual(["medical_class"]);
  });

  test("that one of another class has superseded counts until that was issued", () => {
    const lapl = { ...held("medical lapl", "2024-01-10", "2029-01-10"), superseded_on: "2026-05-01" as LegalDate };
    const class2 = held("medical class_2", "2026-05-01", "2026-06-15");
    const on = (date: string) =>
      rules({ at: `${date}T08:00:00.000Z`, person: { records: [...without("medical"), lapl, class2] } });
    expect(on("2026-04-30")).toEqual(["medical_class"]);
    expect(on("2026-05-01")).toEqual([]);
    expect(on("2026-06-16")).toEqual(["medical_expired"]);
  });

  test("that was withdrawn blocks from the day of its withdrawal until one that was issued on or after that day", () => {
    const suspended = { ...held("medical class_2", "2026-02-10", "2028-02-09"), ...withdrawn };
    const on = (date: string, ...records: ReturnType<typeof held>[]) =>
      told({
        at: `${date}T08:00:00.000Z`,
        person: { ...born, records: [...without("medical"), suspended, ...records] },
      });
    const born = { date_of_birth: "1990-01-01" as LegalDate };
    const blocked = ["block medical_expired: Withdrawn: medical."];
    // A flight before is judged by what was valid then.
    expect(on("2026-05-31")).toEqual([]);
    expect(on("2026-06-01")).toEqual(blocked);
    // Whichever other one there is, of any class: entered before or after, issued before or after the one that was withdrawn.
    for (const level of ["class_1", "class_2", "lapl"])
      for (const issued of ["2025-01-10", "2026-02-10", "2026-05-31"]) {
        const other = held(`medical ${level}`, issued, "2031-01-01");
        for (const entered_at of ["2026-01-01T00:00:00.000Z", "2026-06-14T00:00:00.000Z"] as Instant[])
          if (level !== "class_2" || issued < suspended.issued_on)
            expect(on("2026-07-01", { ...other, entered_at })).toEqual(blocked);
      }
    expect(on("2026-07-01", held("medical class_1", "2026-06-01", "2026-07-01"))).toEqual([]);
    expect(on("2026-05-31", held("medical class_1", "2026-06-01", "2026-07-01"))).toEqual([]);
    // A later one that has expired since is told as such.
    expect(on("2026-07-02", held("medical class_1", "2026-06-01", "2026-07-01"))).toEqual([
      "block medical_expired: Expired: medical.",
    ]);
    // Also after its own last day, and when a later one has superseded others of its class.
    const past = { ...suspended, valid_until: "2026-06-30" as LegalDate };
    expect(rules({ person: { records: [...without("medical"), past] } })).toEqual(["medical_expired"]);
    const later = held("medical class_2", "2026-06-10", "2026-06-20");
    const lapl = held("medical lapl", "2026-05-31", "2031-01-01");
    expect(on("2026-06-20", later, lapl)).toEqual([]);
    expect(on("2026-06-21", later, lapl)).toEqual(["block medical_expired: Expired: medical."]);
  });

  test("that was withdrawn blocks a solo of whatever class it is", () => {
    const suspended = { ...held("medical class_2", "2026-02-10", "2026-06-30"), ...withdrawn };
    const solo = (record: ReturnType<typeof held>) =>
      rules({ function: "solo", person: { date_of_birth: "2000-01-01" as LegalDate, records: [suspended, record] } });
    expect(solo(held("medical lapl", "2026-05-31", "2031-01-01"))).toEqual(["medical_expired"]);
    expect(solo(held("medical class_1", "2026-05-31", "2031-01-01"))).toEqual(["medical_expired"]);
    expect(solo(held("medical lapl", "2026-06-01", "2031-01-01"))).toEqual([]);
  });

  test("is one document of whatever class; ratings and licences of another level are documents of their own", () => {
    const elp = { ...held("elp 5", "2025-01-01"), ...withdrawn };
    expect(rules({ person: { records: [...pilotRecords, elp] } })).toEqual([]);
    const sep = (issued: string, more = {}) => ({ ...held("sep", issued, "2027-04-30"), ...more });
    const rated = (at: string, ...records: ReturnType<typeof held>[]) =>
      told({ at: `${at}T08:00:00.000Z`, person: { records: [...without("sep"), ...records] } });
    const revoked = sep("2026-02-01", withdrawn);
    expect(rated("2026-05-31", sep("2025-04-01"), revoked)).toEqual([]);
    expect(rated("2026-06-01", sep("2025-04-01"), revoked)).toEqual(["warn rating: Withdrawn: sep."]);
    expect(rated("2026-06-01", revoked, sep("2026-02-02"))).toEqual([]);
  });

  test("of class 1 counts as class 2 and for the LAPL until their own last days", () => {
    const born = (date: string | null) => ({ date_of_birth: date as LegalDate | null });
    const class1 = held("medical class_1", "2025-03-15", "2026-03-15");
    const holding = (level: string, person: object = born("1990-01-01"), medical = class1) => ({
      person: {
        ...person,
        records: [
          ...without("medical", "licence", "sep"),
          medical,
          held("sep", "2020-01-01"),
          held(`licence ${level}`, "2020-01-01"),
        ],
      },
    });
    const on = (date: string, ...given: Parameters<typeof holding>) =>
      rules({ at: `${date}T08:00:00.000Z`, ...holding(...given) }).filter((rule) => rule.startsWith("medical"));
    // At 35 class 2 is valid for 60 months.
    expect(on("2026-03-15", "cpl")).toEqual([]);
    expect(on("2026-03-16", "cpl")).toEqual(["medical_class"]);
    expect(on("2026-03-16", "ppl")).toEqual([]);
    expect(on("2030-03-15", "ppl")).toEqual([]);
    expect(on("2030-03-16", "ppl")).toEqual(["medical_expired"]);
    // At 52 class 2 is valid for 12 months, and for the LAPL for 24.
    expect(on("2026-03-16", "ppl", born("1973-01-01"))).toEqual(["medical_class"]);
    expect(on("2027-03-15", "lapl", born("1973-01-01"))).toEqual([]);
    expect(on("2027-03-16", "lapl", born("1973-01-01"))).toEqual(["medical_expired"]);
    // What the certificate states counts, longer or shorter; while it is valid itself, it covers all.
    const states = (until: string) => ({
      ...class1,
      other_levels: [{ level: "class_2", valid_until: until as LegalDate }],
    });
    expect(on("2027-03-15", "ppl", born("1990-01-01"), states("2027-03-15"))).toEqual([]);
    expect(on("2027-03-16", "ppl", born("1990-01-01"), states("2027-03-15"))).toEqual(["medical_class"]);
    expect(on("2026-03-15", "ppl", born("1990-01-01"), states("2026-01-15"))).toEqual([]);
    expect(on("2027-03-15", "ppl", born(null), states("2027-03-15"))).toEqual([]);
    // Withdrawn, it is none of any class.
    expect(on("2026-05-31", "ppl", born("1990-01-01"), { ...class1, ...withdrawn })).toEqual([]);
    expect(on("2026-06-01", "ppl", born("1990-01-01"), { ...class1, ...withdrawn })).toEqual(["medical_expired"]);
  });

  test("that is limited covers no other class but as it states: its last day is before the rule's", () => {
    const born = (year: number) => ({ date_of_birth: `${year}-01-01` as LegalDate });
    const on = (date: string, level: string, person: object, medical: ReturnType<typeof held>) => {
      const licensed = [
        ...without("medical", "licence", "sep"),
        held("sep", "2020-01-01"),
        held(`licence ${level}`, "2020-01-01"),
      ];
      const given = { ...person, records: [...licensed, medical], flown: [] };
      return rules({ at: `${date}T08:00:00.000Z`, person: given }).filter((rule) => rule.startsWith("medical"));
    };
    const class1 = (until: string) => held("medical class_1", "2025-12-01", until);
    // At 30 class 1 is valid for 12 months, class 2 for 60.
    expect(on("2026-12-01", "ppl", born(1995), class1("2026-11-30"))).toEqual(["medical_expired"]);
    expect(on("2026-12-02", "ppl", born(1995), class1("2026-12-01"))).toEqual([]);
    expect(on("2027-01-15", "ppl", born(1995), class1("2027-01-14"))).toEqual([]);
    const class2 = (until: string) => held("medical class_2", "2025-12-01", until);
    expect(on("2026-06-01", "ppl", born(1995), class2("2026-05-31"))).toEqual(["medical_expired"]);
    expect(on("2026-06-01", "lapl", born(1995), class2("2026-05-31"))).toEqual(["medical_expired"]);
    // At 52 class 2 is valid for 12 months, for the LAPL for 24.
    expect(on("2026-12-02", "lapl", born(1973), class2("2026-12-01"))).toEqual([]);
    expect(on("2026-12-01", "lapl", born(1973), class2("2026-11-30"))).toEqual(["medical_expired"]);
    // At 45 the six months of single-pilot commercial flights are no limitation.
    expect(on("2026-06-02", "ppl", born(1980), class1("2026-06-01"))).toEqual([]);
    expect(on("2026-06-01", "ppl", born(1980), class1("2026-05-31"))).toEqual(["medical_expired"]);
    const stated = {
      ...class1("2026-02-28"),
      other_levels: [{ level: "class_2", valid_until: "2026-07-31" as LegalDate }],
    };
    expect(on("2026-07-31", "ppl", born(1995), stated)).toEqual([]);
    expect(on("2026-08-01", "ppl", born(1995), stated)).toEqual(["medical_expired"]);
    // Class 2 includes the LAPL.
    expect(on("2026-07-31", "lapl", born(1995), stated)).toEqual([]);
    expect(on("2026-08-01", "lapl", born(1995), stated)).toEqual(["medical_expired"]);
  });

  test("says that the date of birth is not known where the last day for another class depends on it", () => {
    const records = (medical: ReturnType<typeof held>) => [...without("medical"), medical];
    const expired = held("medical class_1", "2025-03-15", "2026-03-15");
    const unknown = judge({ person: { records: records(expired), date_of_birth: null } });
    expect(unknown).toMatchObject([
      {
        rule: "medical_expired",
        message: "Expired: medical. Whether it still counts for a lower class is not known without the date of birth.",
        lifted_by: "A record that is valid on 2026-07-01: medical. Or the date of birth is entered.",
      },
    ]);
    const lapl = held("medical lapl", "2025-03-15", "2026-03-15");
    expect(told({ person: { records: records(lapl), date_of_birth: null } })).toEqual([
      "block medical_expired: Expired: medical.",
    ]);
  });

  test("blocks when it has expired, and tells no date in words", () => {
    const born = { date_of_birth: "1960-01-01" as LegalDate };
    const record = held("medical lapl", "2024-01-10", "2026-06-30");
    expect(judge({ person: { ...born, records: instead(record) } })).toMatchObject([
      {
        rule: "medical_expired",
        action: "block",
        message: "Expired: medical.",
        health: true,
        source: { article: "MED.A.030" },
      },
    ]);
  });

  test.each<[string, string[], string[]]>([
    ["lapl", ["medical lapl"], []],
    ["ppl", ["medical lapl"], ["medical_class"]],
    ["ppl", ["medical class_2"], []],
    ["ppl", ["medical class_1"], []],
    ["cpl", ["medical class_2"], ["medical_class"]],
    ["atpl", ["medical class_1"], []],
    ["cpl", [], ["medical_missing"]],
  ])("for the licence %s: %p", (level, medicals, expected) => {
    const licence = held(`licence ${level}`, "2020-01-01");
    const records = [...without("medical", "licence"), licence, ...medicals.map((one) => held(one, "2026-01-01"))];
    const recent = Array.from({ length: 12 }, () => flown("2026-06-01", { function: "dual" }));
    expect(rules({ person: { records, flown: recent } })).toEqual(expected);
  });

  test("a licence that a newer one of its level has superseded is not held", () => {
    const licences = [held("licence ppl", "2015-01-01"), held("licence ppl", "2020-01-01", "2026-06-30")];
    expect(told({ person: { records: [...without("licence"), ...licences] } })).toEqual([
      "warn licence: Expired on 2026-06-30: licence.",
    ]);
  });

  test("the class is that of the certificates valid on the day, and the licence the highest of these", () => {
    const records = [
      ...without("medical", "licence"),
      ...[held("licence ppl", "2015-01-01"), held("licence cpl", "2026-06-15")],
      ...[held("medical class_1", "2025-06-20", "2026-06-20"), held("medical class_2", "2025-06-20", "2027-06-20")],
    ];
    expect(rules({ person: { records }, at: "2026-06-20T08:00:00.000Z" })).toEqual([]);
    expect(rules({ person: { records }, at: "2026-06-21T08:00:00.000Z" })).toEqual(["medical_class"]);
    const before = { person: { records: records.filter(({ level }) => level !== "cpl") } };
    expect(rules({ ...before, at: "2026-06-21T08:00:00.000Z" })).toEqual([]);
  });
});

describe("a certificate that ends during the flight", () => {
  const until = (type: string, last: string, issued = "2025-01-10") => ({
    person: { records: instead(held(type, issued, last)) },
  });
  const overnight = { at: "2026-06-30T21:00:00.000Z" }; // 23:00 in Berlin

  test.each([
    ["that ends at midnight", 60, []],
    ["that ends a minute later", 61, ["medical_expired"]],
  ])("does not cover one %s", (_, minutes, expected) => {
    expect(rules({ ...overnight, minutes, ...until("medical class_2", "2026-06-30") })).toEqual(expected);
    expect(rules({ ...overnight, minutes, ...until("medical class_2", "2026-07-01") })).toEqual([]);
  });

  test.each([
    ["the clock goes forward on the next day", "Europe/Berlin", "2026-03-28T22:30:00.000Z", "2026-03-28", 30],
    ["the clock goes back on the next day", "Europe/Berlin", "2026-10-24T21:30:00.000Z", "2026-10-24", 30],
    [
      "the clock goes forward at midnight, which there is not",
      "Africa/Cairo",
      "2026-04-23T21:30:00.000Z",
      "2026-04-23",
      30,
    ],
    ["the clock went back during the flight", "Africa/Cairo", "2026-10-29T20:30:00.000Z", "2026-10-29", 90],
    [
      "the day has 23 hours, and the flight has 24",
      "Europe/Berlin",
      "2026-03-28T22:30:00.000Z",
      "2026-03-29",
      23 * 60 + 30,
    ],
  ])("where %s", (_, time_zone, at, last, left) => {
    const given = { at, school: { time_zone }, ...until("medical class_2", last) };
    expect(rules({ ...given, minutes: left })).toEqual([]);
    expect(rules({ ...given, minutes: left + 1 })).toEqual(["medical_expired"]);
  });

  test("is told with its last day, and what would cover the flight", () => {
    const given = { ...overnight, minutes: 120, person: { records: instead(held("sep", "2024-06-01", "2026-06-30")) } };
    expect(judge(given)).toMatchObject([
      {
        ...{ rule: "rating", message: "Expires on 2026-06-30, before the end of the flight: sep." },
        lifted_by: "A record that is valid on 2026-07-01: sep.",
      },
    ]);
    expect(told({ ...overnight, minutes: 120, ...until("medical lapl", "2026-06-30") })).toEqual([
      "block medical_expired: Expires before the end of the flight: medical.",
    ]);
  });

  test("says on which of the days a record is missing", () => {
    const required = { applies_to: "pilot" as const, any_of: ["medical"], levels: ["class_2"] };
    const ended = { ...held("medical class_2", "2025-01-10", "2027-01-09"), superseded_on: "2026-07-01" as LegalDate };
    const lower = held("medical lapl", "2026-07-01", "2027-01-09");
    const missingFrom = (records: ReturnType<typeof held>[]) =>
      judge({ ...overnight, minutes: 120, school: { requirements: [required] }, person: { records } }).flatMap(
        ({ rule, lifted_by }) => (rule === "required_record" ? lifted_by : []),
      );
    expect(missingFrom(instead(ended, lower))).toEqual(["A record that is valid on 2026-07-01: medical (class_2)."]);
    expect(missingFrom(instead(lower))).toEqual(["A record that is valid on 2026-06-30: medical (class_2)."]);
  });

  test("does not matter if the next one is held already; each other document of a person counts alike", () => {
    const night = { ...overnight, minutes: 120 };
    const both = [held("sep", "2024-06-01", "2026-06-30"), held("sep", "2026-06-15", "2028-06-30")];
    expect(rules({ ...night, person: { records: [...without("sep"), ...both] } })).toEqual([]);
    const ending = pilotRecords.map((one) => ({ ...one, valid_until: "2026-06-30" as LegalDate }));
    const fi = held("fi", "2025-01-01", "2026-06-30");
    expect(rules({ ...night, person: { records: ending } })).toEqual([
      ...["medical_expired", "licence", "rating", "language_proficiency"],
    ]);
    expect(rules({ ...night, function: "instructor", person: { records: [...pilotRecords, fi] } })).toEqual([
      "instructor_certificate",
    ]);
    const requirements = [{ applies_to: "pilot" as const, any_of: ["radio"], levels: [] }];
    const radio = { records: [...pilotRecords, held("radio", "2025-01-01", "2026-06-30")] };
    expect(rules({ ...night, person: radio, school: { requirements } })).toEqual(["required_record"]);
  });

  test("of the aircraft does not cover it either", () => {
    const requirements = [{ applies_to: "aircraft" as const, any_of: ["insurance"], levels: [] }];
    const insured = { records: [held("insurance", "2025-07-01", "2026-06-30")] };
    expect(told({ ...overnight, minutes: 60, school: { requirements }, aircraft: insured })).toEqual([]);
    expect(told({ ...overnight, minutes: 61, school: { requirements }, aircraft: insured })).toEqual([
      "block aircraft_grounded: Grounded by then: No valid insurance.",
      "warn aircraft_record: Expires on 2026-06-30, before the end of the flight: insurance.",
    ]);
  });
});

describe("a student", () => {
  const student = {
    records: [held("medical lapl", "2026-01-01", "2030-01-01")],
    date_of_birth: "2006-01-01" as LegalDate,
  };
  const solo = (given: Given) => rules({ function: "solo", ...given, person: { ...student, ...given.person } });

  test("who flies solo needs any medical, and the age of 16; an unknown date of birth is told", () => {
    const aged = (date_of_birth: string | null) =>
      rules({ function: "solo", person: { ...student, date_of_birth: date_of_birth as never } });
    expect(solo({})).toEqual([]);
    expect(aged("2010-07-01")).toEqual([]);
    expect(aged("2010-07-02")).toEqual(["solo_age"]);
    expect(aged(null)).toEqual(["solo_age"]);
    expect(told({ function: "solo", person: { ...student, date_of_birth: null } })).toEqual([
      "warn solo_age: A student who flies solo must be 16, and the date of birth is not known.",
    ]);
    expect(judge({ function: "solo", person: { ...student, records: [] } })).toMatchObject([
      { rule: "solo_medical", action: "block", message: "Missing: medical.", health: true },
    ]);
    expect(rules({ function: "spic", person: { records: [] } })).toEqual(["medical_missing"]);
  });

  const withMedical = (level: string, ...trainings: ReturnType<typeof trained>[]) => ({
    person: { records: [held(`medical ${level}`, "2026-01-01", "2030-01-01")], trainings },
  });

  test.each<[string, string, string[]]>([
    ["lapl_a", "lapl", []],
    ["lapl_a", "class_2", []],
    ["ppl_a", "lapl", ["medical_class"]],
    ["ppl_a", "class_2", []],
    ["ppl_a", "class_1", []],
    ["cpl", "class_2", ["medical_class"]],
    ["cpl", "class_1", []],
    ["atpl", "class_2", ["medical_class"]],
    ["night", "lapl", []],
    ["other", "lapl", []],
  ])("of a training %s flies solo with a medical %s: %p", (kind, level, expected) => {
    expect(solo(withMedical(level, trained(kind)))).toEqual(expected);
  });

  test("needs the medical of the training that the flight counts for; where it is not known, of the highest", () => {
    const both = withMedical("lapl", trained("lapl_a"), trained("ppl_a"));
    const countsFor = (kind: string) => ({ ...both, use: { enrollment_id: trained(kind).enrollment_id } });
    expect(solo(both)).toEqual(["medical_class"]);
    expect(solo(countsFor("lapl_a"))).toEqual([]);
    expect(solo(countsFor("ppl_a"))).toEqual(["medical_class"]);
    expect(told({ function: "solo", person: { ...student, ...both.person } })).toEqual([
      "warn medical_class: The medical certificate is not enough for a licence of level ppl.",
    ]);
    // A rating is for the licence that the student holds.
    const rating = { use: { enrollment_id: trained("night").enrollment_id } };
    const holder = (level: string) => {
      const { records } = withMedical("lapl").person;
      return {
        ...rating,
        person: { records: [...records, held(`licence ${level}`, "2020-01-01")], trainings: [trained("night")] },
      };
    };
    expect(solo(holder("lapl"))).toEqual([]);
    expect(solo(holder("ppl"))).toEqual(["medical_class"]);
    expect(solo({ ...withMedical("lapl", trained("night"), trained("ppl_a")), ...rating })).toEqual(["medical_class"]);
  });

  test("needs it from the first day of the training to its last", () => {
    const on = (began: string, ended: string | null) => solo(withMedical("lapl", trained("ppl_a", began, ended)));
    expect(on("2026-07-01", null)).toEqual(["medical_class"]);
    expect(on("2026-07-02", null)).toEqual([]);
    expect(on("2026-01-15", "2026-07-01")).toEqual(["medical_class"]);
    // A student who holds no licence yet still aims at that of the last training which has ended.
    expect(on("2026-01-15", "2026-06-30")).toEqual(["medical_class"]);
  });

  test("needs that of the last training which has ended, if they hold no licence yet", () => {
    const after = (...trainings: ReturnType<typeof trained>[]) => withMedical("lapl", ...trainings);
    const ppl = trained("ppl_a", "2025-01-15", "2026-01-31");
    const lapl = (ended: string) => trained("lapl_a", "2025-01-15", ended);
    expect(solo(after(ppl))).toEqual(["medical_class"]);
    expect(solo(after(ppl, lapl("2026-02-01")))).toEqual([]);
    expect(solo(after(ppl, lapl("2026-01-31")))).toEqual(["medical_class"]);
    expect(solo(after(ppl, lapl("2026-01-30")))).toEqual(["medical_class"]);
    // Ratings aim at no licence; one that has not ended decides.
    expect(solo(after(ppl, trained("night", "2026-02-01", "2026-03-01")))).toEqual(["medical_class"]);
    expect(solo(after(ppl, trained("night")))).toEqual(["medical_class"]);
    expect(solo(after(ppl, trained("lapl_a")))).toEqual([]);
    const { records, trainings } = after(ppl).person;
    const holding = (until: string | null) => [...records, held("licence lapl", "2026-01-31", until)];
    expect(solo({ person: { trainings, records: holding(null) } })).toEqual([]);
    expect(solo({ person: { trainings, records: holding("2026-06-30") } })).toEqual(["medical_class"]);
  });

  test("whose class 2 has expired is blocked, also with a valid medical for the LAPL", () => {
    const records = (last: string) => [
      ...[held("medical lapl", "2025-01-01", "2030-01-01"), held("medical class_2", "2025-01-01", last)],
    ];
    const flies = (last: string) => {
      const person = { ...student, records: records(last), trainings: [trained("ppl_a")] };
      return told({ function: "solo", person });
    };
    expect(flies("2026-07-01")).toEqual([]);
    expect(flies("2026-06-30")).toEqual(["block medical_expired: Expired: medical (class_2 or class_1)."]);
  });

  test("who flies dual needs only what the school requires of students", () => {
    const requirements = [
      { applies_to: "student" as const, any_of: ["medical"], levels: [] },
      { applies_to: "student" as const, any_of: ["briefing"], levels: [] },
      { applies_to: "pilot" as const, any_of: ["club_check"], levels: [] },
    ];
    const names = { briefing: "Safety briefing" };
    expect(told({ function: "dual", person: { records: [] }, school: { requirements, names } })).toEqual([
      "warn required_record: Missing: Safety briefing.",
    ]);
  });
});

describe("at night", () => {
  const night = (given: Given = {}) => told({ ...given, use: { night: true, ...given.use } });
  const lacks = ["warn night_rating: Missing: night."];
  const rated = (from: string, until: string | null = null) => ({
    person: { records: [...pilotRecords, held("night", from, until)] },
  });

  test("the PIC needs a night rating, which counts on each day of the flight", () => {
    expect(night()).toEqual(lacks);
    expect(told({})).toEqual([]);
    expect(night(rated("2026-07-01"))).toEqual([]);
    expect(night(rated("2026-07-02"))).toEqual(lacks);
    const late = { at: "2026-07-01T21:30:00.000Z", ...rated("2020-01-01", "2026-07-01") };
    expect(night({ ...late, minutes: 30 })).toEqual([]);
    expect(night({ ...late, minutes: 31 })).toEqual([
      "warn night_rating: Expires on 2026-07-01, before the end of the flight: night.",
    ]);
    expect(judge({ use: { night: true } })).toMatchObject([{ source: { article: "FCL.810" } }]);
  });

  test.each([
    ["lapl", true],
    ["ppl", true],
    ["cpl", false],
    ["atpl", false],
  ])("the holder of a licence %s needs it: %p", (level, needs) => {
    const medical = held("medical class_1", "2026-01-01", "2027-01-01");
    const records = [...without("licence", "medical"), medical, held(`licence ${level}`, "2020-01-01")];
    expect(rules({ use: { night: true }, person: { records } }).includes("night_rating")).toBe(needs);
    const ended = records.map((one) =>
      one.type === "licence" ? { ...one, valid_until: "2026-06-30" as LegalDate } : one,
    );
    expect(rules({ use: { night: true }, person: { records: ended } })).toContain("night_rating");
  });

  test("the instructor needs it, and the student beside them does not; a co-pilot does not either", () => {
    const fi = { records: [...pilotRecords, held("fi", "2026-01-01")] };
    expect(night({ function: "instructor", person: fi })).toEqual(lacks);
    expect(
      night({ function: "instructor", person: { records: [...fi.records, held("night", "2020-01-01")] } }),
    ).toEqual([]);
    for (const onBoard of ["dual", "spic", "co_pilot", "picus"] as const)
      expect(night({ function: onBoard, person: fi })).toEqual([]);
  });

  test("a student flies solo in a training for it: where the flight's is not known, in any that has not ended", () => {
    const born = { date_of_birth: "2000-01-01" as LegalDate };
    const solo = (trainings: ReturnType<typeof trained>[], flown?: string) =>
      night({
        ...{ function: "solo", person: { ...born, trainings } },
        use: { enrollment_id: flown ? trained(flown).enrollment_id : null },
      });
    expect(solo([])).toEqual(lacks);
    expect(solo([trained("sep")])).toEqual(lacks);
    expect(solo([trained("sep"), trained("night")])).toEqual([]);
    expect(solo([trained("sep"), trained("night")], "night")).toEqual([]);
    expect(solo([trained("sep"), trained("night")], "sep")).toEqual(lacks);
    expect(solo([trained("night", "2026-07-02")])).toEqual(lacks);
    expect(solo([trained("night", "2026-01-15", "2026-06-30")])).toEqual(lacks);
    expect(solo([trained("night", "2026-01-15", "2026-07-01")])).toEqual([]);
    // By their own authority only with the rating.
    expect(night({ person: { trainings: [trained("night")] } })).toEqual(lacks);
  });

  test("a simulator needs none", () => {
    expect(night({ aircraft: { class: "FSTD" } })).toEqual([]);
  });
});

describe("ratings", () => {
  test.each<[string, string[]]>([
    ["SEP", ["rating"]],
    ["TMG", ["rating"]],
    ["MEP", ["rating"]],
    ["SET", []],
    ["sailplane", []],
    ["helicopter", []],
    ["other", []],
  ])("class %s", (type, expected) => {
    const aircraft = { class: type as "SEP" };
    expect(rules({ aircraft, person: { records: without("sep") } })).toEqual(expected);
    const all = [...without("sep"), ...["sep", "tmg", "mep"].map((key) => held(key, "2026-01-01"))];
    expect(rules({ aircraft, person: { records: all } })).toEqual([]);
  });

  test("an expired one, licence or language proficiency is told with its day", () => {
    const records = [
      ...without("licence", "sep", "elp"),
      ...[held("licence ppl", "2020-01-01", "2026-06-01"), held("sep", "2024-06-01", "2026-06-30")],
      held("elp 4", "2022-06-30", "2026-06-30"),
    ];
    expect(told({ person: { records } })).toEqual([
      "warn licence: Expired on 2026-06-01: licence.",
      "warn rating: Expired on 2026-06-30: sep.",
      "warn language_proficiency: Expired on 2026-06-30: elp.",
    ]);
  });

  test("a level that the school requires counts beside the rules of their own", () => {
    const requirements = [{ applies_to: "pilot" as const, any_of: ["elp"], levels: ["5", "6"] }];
    expect(told({ school: { requirements } })).toEqual(["warn required_record: Missing: elp (5 or 6)."]);
  });
});

describe("the holder of an LAPL", () => {
  const records = [
    ...without("licence", "sep", "medical"),
    ...[held("licence lapl", "2020-01-01"), held("medical lapl", "2026-01-01")],
  ];
  const lapl = (flights: ReturnType<typeof flown>[], more: Given = {}) =>
    told({ person: { records, flown: flights }, ...more });
  const dual = flown("2026-06-01", { function: "dual" });
  const missing = (lacks: string) => [
    `warn lapl_recency: Recency of the LAPL(A): missing in the 24 months before 2026-07-01: ${lacks}.`,
  ];

  test("needs hours, landings and an hour with an instructor in 24 months, and no rating", () => {
    const eleven = Array.from({ length: 11 }, () => flown("2025-06-01"));
    expect(lapl([])).toEqual(
      missing("720 minutes as PIC or under supervision, 12 landings, 60 minutes with an instructor"),
    );
    expect(lapl([...eleven, dual])).toEqual([]);
    expect(lapl([...eleven, flown("2026-06-01")])).toEqual(missing("60 minutes with an instructor"));
    expect(lapl([...eleven.slice(1), dual])).toEqual(missing("60 minutes as PIC or under supervision, 1 landing"));
  });

  test("neither sailplanes nor time as co-pilot counts, touring motor gliders do; a flight counts through 24 months", () => {
    const on = (date: string, more = {}) => [dual, ...Array.from({ length: 11 }, () => flown(date, more))];
    const lacks = missing("660 minutes as PIC or under supervision, 11 landings");
    expect(lapl(on("2024-07-01"))).toEqual([]);
    expect(lapl(on("2024-06-30"))).toEqual(lacks);
    expect(lapl(on("2025-07-01", { class: "TMG" }))).toEqual([]);
    expect(lapl(on("2025-07-01", { class: "sailplane" }))).toEqual(lacks);
    expect(lapl(on("2025-07-01", { function: "co_pilot" }))).toEqual(lacks);
    // An instructor is the PIC, and has the landings that they made.
    expect(lapl(on("2025-07-01", { function: "instructor" }))).toEqual([]);
    expect(lapl(on("2025-07-01", { function: "instructor", landings: 0 }))).toEqual(missing("11 landings"));
  });

  test("or a proficiency check of the last 24 months that was not withdrawn and has not expired", () => {
    const lacks = missing("720 minutes as PIC or under supervision, 12 landings, 60 minutes with an instructor");
    const checked = (...checks: ReturnType<typeof held>[]) => told({ person: { records: [...records, ...checks] } });
    expect(checked(held("lapl_check", "2024-07-01"))).toEqual([]);
    expect(checked(held("lapl_check", "2024-06-30"))).toEqual(lacks);
    expect(checked(held("lapl_check", "2026-07-02"))).toEqual(lacks);
    expect(checked(held("lapl_check", "2024-06-30", "2027-01-01"))).toEqual(lacks);
    expect(checked(held("lapl_check", "2025-07-01", "2026-06-30"))).toEqual(lacks);
    expect(checked({ ...held("lapl_check", "2025-07-01"), ...withdrawn })).toEqual(lacks);
    expect(checked(held("lapl_check", "2020-07-01"), held("lapl_check", "2025-07-01", "2026-07-01"))).toEqual([]);
  });

  test("of several checks, the newest counts", () => {
    const checks = [held("lapl_check", "2025-01-15"), held("lapl_check", "2026-01-15", "2026-06-30")];
    expect(rules({ person: { records: [...records, ...checks] } })).toEqual(["lapl_recency"]);
  });

  test("is told until when flights or a check are enough", () => {
    const enough = [dual, ...Array.from({ length: 11 }, () => flown("2025-06-01"))];
    const until = (flights: ReturnType<typeof flown>[], ...checks: ReturnType<typeof held>[]) =>
      met({ person: { records: [...records, ...checks], flown: flights } });
    expect(until(enough)).toEqual(["lapl_recency until 2027-06-01"]);
    expect(until(enough, held("lapl_check", "2026-01-15"))).toEqual(["lapl_recency until 2028-01-15"]);
    expect(until(enough, held("lapl_check", "2026-01-15", "2027-12-31"))).toEqual(["lapl_recency until 2027-12-31"]);
    expect(until(enough, held("lapl_check", "2025-01-15"))).toEqual(["lapl_recency until 2027-06-01"]);
    expect(until([])).toEqual([]);
    expect(met({ person: { records, flown: enough }, school: { actions: { lapl_recency: "off" } } })).toEqual([]);
    expect(met({ person: { flown: enough } })).toEqual([]);
  });

  test("needs a rating for an MEP", () => {
    expect(lapl([], { aircraft: { class: "MEP" } })).toEqual([
      ...["warn rating: Missing: mep.", "warn lapl_limits: The LAPL(A) is for SEP and TMG."],
    ]);
  });
});

describe("passengers", () => {
  const carrying = (flights: ReturnType<typeof flown>[], given: Given = {}) =>
    told({ ...given, use: { passengers: 1, ...given.use }, person: { flown: flights, ...given.person } });
  const by = (lacks: string) =>
    `warn passenger_recency: Carrying passengers: missing in the 90 days before 2026-07-01: ${lacks}.`;

  test("three landings of the same class in 90 days, the last of them on the 90th day", () => {
    expect(carrying([flown("2026-04-02", { landings: 3 })])).toEqual([]);
    expect(carrying([flown("2026-04-01", { landings: 3 })])).toEqual([by("3 landings")]);
    expect(carrying([flown("2026-06-01", { landings: 2 })])).toEqual([by("1 landing")]);
    expect(carrying([flown("2026-06-01", { landings: 3, class: "TMG" })])).toEqual([by("3 landings")]);
    expect(rules({ use: { passengers: 0 } })).toEqual([]);
  });

  test("without any flight in a class, the landings are to be made in that class", () => {
    const inClass = (type: "SEP" | "TMG") =>
      judge({ use: { passengers: 1 }, aircraft: { class: type } }).flatMap(({ rule, lifted_by }) =>
        rule === "passenger_recency" ? lifted_by : [],
      );
    expect(inClass("SEP")).toEqual(["Before the flight, in class SEP: 3 landings."]);
    expect(inClass("TMG")).toEqual(["Before the flight, in class TMG: 3 landings."]);
  });

  test("concern the PIC and the instructor", () => {
    const use = { passengers: 1 };
    const fi = { records: [...pilotRecords, held("fi", "2026-01-01")] };
    expect(rules({ use, function: "instructor", person: fi })).toEqual(["passenger_recency"]);
    expect(rules({ use, function: "co_pilot" })).toEqual([]);
    expect(rules({ use, function: "dual" })).toEqual([]);
  });

  test("at night: a landing at night, or an instrument rating that is valid on the day", () => {
    const rated = [...pilotRecords, held("night", "2020-01-01")];
    const night = { use: { night: true, passengers: 1 }, person: { records: rated } };
    const day3 = flown("2026-06-01", { landings: 3 });
    const lack =
      "warn night_passenger_recency: Carrying passengers at night: missing in the 90 days before 2026-07-01: 1 landing at night.";
    expect(carrying([day3], night)).toEqual([lack]);
    expect(carrying([{ ...day3, night_landings: 1 }], night)).toEqual([]);
    const ir = (until: string) => ({
      ...night,
      person: { records: [...rated, held("ir", "2025-06-30", until)] },
    });
    expect(carrying([day3], ir("2026-07-01"))).toEqual([]);
    expect(carrying([day3], ir("2026-06-30"))).toEqual([lack]);
  });

  test("are told until when landings are enough, by day and at night, where the rules apply", () => {
    const landed = {
      flown: [flown("2026-05-01", { landings: 2 }), flown("2026-06-01", { landings: 2, night_landings: 1 })],
    };
    const both = ["passenger_recency until 2026-07-30", "night_passenger_recency until 2026-08-30"];
    expect(met({ use: { passengers: 1, night: true }, person: landed })).toEqual(both);
    expect(met({ use: { passengers: 1 }, person: landed })).toEqual(both.slice(0, 1));
    expect(met({ person: landed })).toEqual([]);
    expect(met({ use: { passengers: 1 }, person: landed, function: "co_pilot" })).toEqual([]);
  });

  test("what is missing is told for programs, too", () => {
    const [finding] = judge({ use: { passengers: 2 }, person: { flown: [flown("2026-06-30")] } });
    expect(finding).toMatchObject({
      missing: [{ what: "landings", amount: 2, by: null }],
      source: { article: "FCL.060 (b)(1)" },
    });
    expect(finding?.lifted_by).toBe("Before the flight, in class SEP: 2 landings.");
  });
});

describe("an instructor", () => {
  test("needs the certificate, also in a simulator; a restricted one is supervised", () => {
    const restricted = { restricted_instructor: true, supervisor: "Ines Instructor" };
    expect(told({ function: "instructor", person: restricted })).toEqual([
      "warn instructor_certificate: Missing: fi.",
      "warn restricted_instructor: Instructs under the supervision of Ines Instructor, and may authorize neither a first solo flight nor a first solo cross-country flight.",
    ]);
    const inSimulator = { aircraft: { class: "FSTD" as const }, use: { passengers: 0, night: true } };
    expect(rules({ function: "instructor", person: { records: [], ...restricted }, ...inSimulator })).toEqual([
      "instructor_certificate",
    ]);
    expect(rules({ function: "pic", person: { records: [] }, ...inSimulator })).toEqual([]);
  });
});

describe("an aircraft", () => {
  const grounding = { kind: "by_hand" as const, note: "Nose wheel shimmy.", lifted_at: null };

  test("that is grounded blocks, once for each reason, also a simulator", () => {
    const groundings = [grounding, { ...grounding, note: "Flat tyre." }];
    const expected = [
      "block aircraft_grounded: Grounded: Nose wheel shimmy.",
      "block aircraft_grounded: Grounded: Flat tyre.",
    ];
    expect(told({ aircraft: { groundings } })).toEqual(expected);
    expect(told({ aircraft: { groundings, class: "FSTD" } })).toEqual(expected);
  });

  test("needs the documents that the school requires of aircraft, a simulator its own", () => {
    const requirements = [
      { applies_to: "aircraft" as const, any_of: ["weighing"], levels: [] },
      { applies_to: "simulator" as const, any_of: ["fstd_qualification"], levels: [] },
    ];
    const records = [held("weighing", "2025-07-01", "2026-06-30")];
    expect(told({ school: { requirements }, aircraft: { records } })).toEqual([
      "warn aircraft_record: Expired on 2026-06-30: weighing.",
    ]);
    expect(told({ school: { requirements }, aircraft: { records, class: "FSTD" } })).toEqual([
      "warn aircraft_record: Missing: fstd_qualification.",
    ]);
  });

  test("is grounded by then if a required ARC or insurance expires before, or the deferral of a defect ends", () => {
    const requirements = [{ applies_to: "aircraft" as const, any_of: ["insurance"], levels: [] }];
    const insured = (until: string) => ({ records: [held("insurance", "2025-07-01", until)] });
    const expired = "warn aircraft_record: Expired on 2026-06-30: insurance.";
    expect(told({ school: { requirements }, aircraft: insured("2026-07-01") })).toEqual([]);
    expect(told({ school: { requirements }, aircraft: insured("2026-06-30") })).toEqual([
      "block aircraft_grounded: Grounded by then: No valid insurance.",
      expired,
    ]);
    // As today: one that the school does not require does not ground, nor one that was never entered.
    expect(told({ aircraft: insured("2026-06-30") })).toEqual([]);
    expect(told({ school: { requirements } })).toEqual(["warn aircraft_record: Missing: insurance."]);
    const groundings = [{ ...grounding, kind: "record" as const, note: "No valid insurance." }];
    expect(told({ school: { requirements }, aircraft: { ...insured("2026-06-30"), groundings } })).toEqual([
      "block aircraft_grounded: Grounded: No valid insurance.",
      expired,
    ]);
    const ended = ["block aircraft_grounded: Grounded by then: The deferral has ended: Flat tyre."];
    const tyre = {
      ...{ description: "Flat tyre.", deferred_at: null, deferred_until: null },
      deferred_until_airframe_minutes: null,
    };
    const deferred = (until: string) => ({ deferred: [{ ...tyre, deferred_until: until as LegalDate }] });
    expect(told({ aircraft: deferred("2026-07-01") })).toEqual([]);
    expect(told({ aircraft: deferred("2026-06-30") })).toEqual(ended);
    // By hours, those of the flights that land after it. This one lands at 09:00.
    const usedUp = ["warn maintenance_due: The deferral ends before the end of the flight: Flat tyre."];
    const byHours = (minutes: number, since: string | null = null) => {
      const counted = { deferred_until_airframe_minutes: minutes, deferred_at: since as Instant | null };
      const adds = { hobbs: 100, tacho: 100, airframe_minutes: 60, landings: 1 };
      return told({ use: { adds }, aircraft: { deferred: [{ ...tyre, ...counted }] } });
    };
    expect(byHours(60)).toEqual([]);
    expect(byHours(59)).toEqual(usedUp);
    expect(byHours(59, "2026-07-01T08:59:59.999Z")).toEqual(usedUp);
    expect(byHours(59, "2026-07-01T09:00:00.000Z")).toEqual([]);
  });
});

test("the school's actions decide: a rule that is off finds nothing, and each other finding has the action", () => {
  const bad: Given = {
    ...{ function: "instructor", use: { passengers: 1, night: true } },
    aircraft: { groundings: [{ kind: "defect", note: "Flat tyre.", lifted_at: null }] },
    person: { records: [], restricted_instructor: true },
  };
  const found = new Set(rules(bad));
  const some = fc.dictionary(fc.constantFrom(...ruleKeys), fc.constantFrom<Action>("block", "warn", "off"));
  fc.assert(
    fc.property(some, (changed) => {
      const actions: Partial<Record<RuleKey, Action>> = changed;
      const findings = judge({ ...bad, school: { actions } });
      expect(new Set(findings.map(({ rule }) => rule))).toEqual(
        new Set([...found].filter((rule) => actions[rule as RuleKey] !== "off")) as Set<RuleKey>,
      );
      for (const { rule, action } of findings) if (actions[rule]) expect(action).toBe(actions[rule] as "warn");
      const blocks = findings.some(({ action }) => action === "block");
      expect(decisionOf(findings)).toBe(blocks ? "block" : findings.length > 0 ? "warn" : "clear");
    }),
  );
});

describe("the account of the person who pays", () => {
  const payer = (limit_minor: number, ...available_minor: number[]) => ({
    payer: { id: "p" as PersonId, available_minor, limit_minor },
    school: { actions: { balance_below_limit: "warn" as const } },
  });

  test.each([
    ["at the limit", payer(-100, -100), []],
    ["below the limit", payer(-100, -101), ["balance_below_limit"]],
    ["below the limit in one of its currencies", payer(0, 500, -1), ["balance_below_limit"]],
    [
      "below the limit, in a simulator",
      { ...payer(0, -1), aircraft: { class: "FSTD" as const } },
      ["balance_below_limit"],
    ],
    ["of a school that does not use the rule", { ...payer(0, -1), school: {} }, []],
  ])("%s", (_, given, expected) => {
    expect(rules(given)).toEqual(expected);
  });
});
