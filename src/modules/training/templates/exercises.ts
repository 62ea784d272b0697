/**
 * The exercises of the flight training for the PPL(A) and the LAPL(A), after AMC1 FCL.210.A and AMC1 FCL.110.A. What a student
 * is to show is in Windsock's own words; a school adapts it.
 */
import type { Lesson } from "../revisions/syllabus.schemas.ts";
import { scaleCode } from "./scales.ts";

type Exercise = readonly [code: string, name: string, phase: string, ...items: string[]];

const all: readonly Exercise[] = [
  ["1a", "Familiarisation with the aeroplane", "basics", "Describes layout and systems", "Uses the checklists"],
  [
    "1b",
    "Emergency drills",
    "basics",
    "Fire on the ground and in the air",
    "Failures of systems",
    "Leaving the aircraft",
  ],
  [
    "2",
    "Preparation for and action after flight",
    "basics",
    "Documents, mass and balance",
    "Walk-around and checks",
    "Engine start and shutdown",
  ],
  ["3", "Air experience", "basics", "Knows the training area and its landmarks"],
  [
    "4",
    "Effects of controls",
    "basics",
    "Primary and further effects",
    "Effects of airspeed, power, trim and flaps",
    "Mixture and carburettor heat",
  ],
  ["5a", "Taxiing", "basics", "Controls speed and direction", "Allows for wind", "Follows signs and clearances"],
  ["5b", "Taxi emergencies", "basics", "Brake or steering failure"],
  ["6", "Straight and level flight", "basics", "Holds height, heading and balance", "Flies at various speeds"],
  ["7", "Climbing", "basics", "Enters, holds and leaves a climb", "Climbs with flaps"],
  ["8", "Descending", "basics", "Enters, holds and leaves a descent", "Glides and descends with power", "Sideslips"],
  ["9", "Turning", "basics", "Level turns", "Climbing and descending turns", "Turns to headings"],
  ["10a", "Slow flight", "basics", "Holds a critically low speed", "Returns to a safe speed"],
  [
    "10b",
    "Stalling",
    "basics",
    "Recognises the signs",
    "Recovers with and without power",
    "Recovers with flaps and in turns",
  ],
  ["11", "Spin avoidance", "basics", "Recovers at the incipient stage", "Copes with distractions at low speed"],
  [
    "12",
    "Take-off and climb to the downwind position",
    "solo",
    "Normal take-off",
    "Crosswind take-off",
    "Short and soft field take-off",
  ],
  [
    "13",
    "Circuit, approach and landing",
    "solo",
    "Circuit and lookout",
    "Normal and glide approach",
    "Crosswind landing",
    "Go-around",
  ],
  [
    "12/13E",
    "Emergencies in the circuit",
    "solo",
    "Abandoned take-off",
    "Engine failure after take-off",
    "Missed approach",
  ],
  ["14", "First solo", "solo", "Flies a circuit alone"],
  ["15", "Advanced turning", "navigation", "Steep turns", "Recovers from unusual attitudes"],
  ["16", "Forced landing without power", "navigation", "Chooses a field and plans the approach", "Checks and calls"],
  ["17", "Precautionary landing", "navigation", "Inspects a field", "Lands on it with power"],
  [
    "18a",
    "Navigation",
    "navigation",
    "Plans the flight",
    "Keeps heading, time and log",
    "Diverts to another aerodrome",
    "Joins and leaves aerodromes",
  ],
  [
    "18b",
    "Navigation at low level and in reduced visibility",
    "navigation",
    "Keeps clear of terrain",
    "Decides in time",
  ],
  ["18c", "Radio navigation", "navigation", "Uses GNSS, VOR and radar services"],
  [
    "19",
    "Basic instrument flight",
    "navigation",
    "Straight and level, climbs and turns",
    "Recovers from unusual attitudes",
  ],
];

const kinds: Readonly<Record<string, Lesson["kind"]>> = {
  "1a": "ground",
  "1b": "ground",
  "14": "solo",
  "18S": "solo",
};

/** What must be done before: everything that a first solo needs, and the first solo before navigation alone. */
const requires: Readonly<Record<string, readonly string[]>> = {
  "10b": ["10a"],
  "13": ["12"],
  "14": ["10b", "11", "12", "13", "12/13E"],
  "18b": ["18a"],
  "18S": ["14", "18a"],
};

/** Not an exercise of the AMC, but what the licences ask for. */
const soloNavigation: Exercise = [
  "18S",
  "Solo cross-country flights",
  "navigation",
  "Plans and flies a cross-country flight alone",
  "Flies the long cross-country flight",
];

/** The codes of lesson and item of what an instructor with restricted privileges does not send a student on. */
const milestones: Readonly<Record<string, NonNullable<Lesson["items"][number]["milestone"]>>> = {
  "14/1": "first_solo",
  "18S/1": "first_solo_cross_country",
};

/** @param without codes that the licence does not ask for */
export const exercises = (without: readonly string[] = []): Lesson[] =>
  [...all, soloNavigation]
    .filter(([code]) => !without.includes(code))
    .map(([code, name, phase, ...items]) => ({
      code,
      name,
      kind: kinds[code] ?? "dual",
      phase,
      requires: [...(requires[code] ?? [])],
      items: items.map((item, at) => ({
        code: String(at + 1),
        name: item,
        scale: scaleCode,
        milestone: milestones[`${code}/${at + 1}`] ?? null,
      })),
    }));
