/** What the holder of an LAPL(A) may fly, and when they may carry passengers (FCL.105.A). */
import { aeroplaneClasses, laplLimits } from "../../compliance/rules/rules.ts";
import { type AnyClassCase, type Found, found, type PersonCase } from "./found.ts";
import { licenceOf } from "./licence.ts";

const { classes, mtom_kg, passengers: most, pic_minutes } = laplLimits;

export function limitIssues(personCase: PersonCase): Found[] {
  if (licenceOf(personCase) !== "lapl") return [];
  const { aircraft, use } = personCase;
  const allowed: readonly string[] = classes;
  return [
    ...(allowed.includes(aircraft.class)
      ? []
      : [found(`The LAPL(A) is for ${classes.join(" and ")}.`, "A pilot with another licence.")]),
    ...(aircraft.mtom_kg !== null && aircraft.mtom_kg > mtom_kg
      ? [found(`The LAPL(A) is for a take-off mass of at most ${mtom_kg} kg.`, "A lighter aircraft.")]
      : []),
    ...(use.passengers > most
      ? [found(`The holder of an LAPL(A) carries at most ${most} passengers.`, "Fewer passengers.")]
      : []),
  ];
}

/** Who ever held a higher licence is exempt (FCL.105.A (b)(2)). */
export function passengerIssues(personCase: AnyClassCase): Found[] {
  const { person, on, use } = personCase;
  const since = laplIssuedOn(person.records);
  if (use.passengers === 0 || since === undefined || licenceOf(personCase) !== "lapl") return [];
  if (person.records.some(({ type, level }) => type === "licence" && level !== "lapl")) return [];
  const classes: readonly string[] = aeroplaneClasses;
  const first = Temporal.PlainDate.from(since);
  const flown = person.flown
    .filter((flight) => classes.includes(flight.class) && isCommand.includes(flight.function))
    .filter((flight) => compare(flight.on, first) >= 0 && compare(flight.on, on) <= 0)
    .reduce((total, { minutes }) => total + minutes, 0);
  if (flown >= pic_minutes) return [];
  const amount = pic_minutes - flown;
  return [
    found(
      `The holder of an LAPL(A) carries passengers after ${pic_minutes / 60} hours as PIC since its issue: ${amount} minutes are missing.`,
      `Before the flight: ${amount} minutes as PIC.`,
      { missing: [{ what: "pic_minutes", amount, by: null }] },
    ),
  ];
}

const { compare } = Temporal.PlainDate;

const isCommand: readonly string[] = ["pic", "picus", "solo", "spic", "instructor"];

/** Returns the day of the first LAPL of a person. */
export const laplIssuedOn = (records: PersonCase["person"]["records"]) =>
  records
    .filter(({ type, level }) => type === "licence" && level === "lapl")
    .map(({ issued_on }) => issued_on)
    .sort()[0];
