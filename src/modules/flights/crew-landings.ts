/** Landings belong to who flew them: logbooks (AMC1 FCL.050), recent experience (FCL.060) and progress count them so. */
import type { Issue } from "../../core/errors.ts";
import type { CrewFunction, CrewMember } from "../rules/crew.values.ts";
import type { FlightContent } from "./flights.schemas.ts";

export const landingKinds = ["day_landings", "night_landings"] as const;
type Kind = (typeof landingKinds)[number];

/** As it is entered: null for those that a member makes by default. */
export type CrewEntry = FlightContent["crew"][number];
/** As it is stored. */
export type CrewWithLandings = CrewMember & Record<Kind, number>;

interface Landed<Member> extends Record<Kind, number> {
  crew: readonly Member[];
}

/** The first on board makes the landings by default: the student on instruction, else the pilot. */
const landing: readonly CrewFunction[] = ["dual", "spic", "solo", "pic", "instructor"];

/** Returns the crew with the landings of each: those that are entered, and for the one who lands by default the others. */
export function withLandings({ crew, ...flight }: Landed<CrewEntry>): CrewWithLandings[] {
  const lands = landing.flatMap((one) => crew.filter(({ function: f }) => f === one))[0];
  const landingsOf = (member: CrewEntry, kind: Kind): number =>
    member[kind] ?? (member === lands ? flight[kind] - enteredOf(crew, kind) : 0);
  return crew.map((member) => ({
    ...member,
    day_landings: landingsOf(member, "day_landings"),
    night_landings: landingsOf(member, "night_landings"),
  }));
}

const enteredOf = (crew: readonly CrewEntry[], kind: Kind): number =>
  crew.reduce((sum, member) => sum + (member[kind] ?? 0), 0);

/** Returns a stored crew as it was entered: landings that are as by default follow those of the flight. */
export function asEntered(flight: Landed<CrewWithLandings>): CrewEntry[] {
  const without = (members: readonly CrewEntry[], kind: Kind) => members.map((member) => ({ ...member, [kind]: null }));
  return landingKinds.reduce<CrewEntry[]>(
    (crew, kind) => {
      const byDefault = without(crew, kind);
      const shared = withLandings({ ...flight, crew: byDefault });
      return shared.every((member, at) => member[kind] === flight.crew[at]?.[kind]) ? byDefault : crew;
    },
    [...flight.crew],
  );
}

/** Returns the landings that are fewer than those entered for the crew. */
export const landingIssues = ({ crew, ...flight }: Landed<CrewEntry>): Issue[] =>
  landingKinds.flatMap((kind) => {
    const entered = enteredOf(crew, kind);
    const message = `Must not be less than the landings of the crew: ${entered}.`;
    return entered > flight[kind] ? [{ path: kind, code: "impossible", message }] : [];
  });
