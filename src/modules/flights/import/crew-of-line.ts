import { type Issue, throwIfAny } from "../../../core/errors.ts";
import { isId, type PersonId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { findMatches, type Marks, presentOnes } from "../../people/import/person-matches.queries.ts";
import { type CrewFunction, crewFunctions } from "../../rules/crew.values.ts";
import { type CrewEntry, type CrewWithLandings, landingKinds } from "../crew-landings.ts";
import type { FlightLine } from "./import.schemas.ts";

/**
 * Returns the crew of a line that may describe a stored flight: people whose data was erased are still in that one.
 *
 * @throws VALIDATION_ERROR a person is unknown or named twice
 */
export async function crewOf(tx: Tx<"tenant">, line: FlightLine): Promise<CrewEntry[]> {
  const { crew, issues } = await crewNamed(tx, line);
  throwIfAny(issues.filter(({ code }) => code !== "erased"));
  return crew;
}

/** Returns the people whom a line names with their landings, and the issues: unknown or named twice, landings of nobody. */
export async function crewNamed(
  tx: Tx<"tenant">,
  line: FlightLine,
): Promise<{ crew: CrewEntry[]; issues: readonly Issue[] }> {
  const crew: CrewEntry[] = [];
  const issues: Issue[] = landingsOfNobody(line);
  for (const { column, function: onBoard, marks, ...landings } of namedIn(line)) {
    const found = await personOf(tx, column, marks);
    if (found.issue) issues.push(found.issue);
    if (found.id === undefined) continue;
    if (crew.some(({ person_id }) => person_id === found.id))
      issues.push(issue(column, "duplicate", "Name each person once."));
    else crew.push({ person_id: found.id, function: onBoard, ...landings });
  }
  return { crew, issues };
}

interface Named extends Omit<CrewEntry, "person_id"> {
  column: string;
  marks: Marks;
}

/** In a column of a function: by id, e-mail address or licence number. In the crew of the list of flights: by id, else by name. */
const namedIn = (line: FlightLine): Named[] => [
  ...crewFunctions.flatMap((name) =>
    (line[name] ?? []).map((mark) => ({
      column: name,
      function: name,
      marks: marksOf(mark),
      ...landingsAs(line, name),
    })),
  ),
  ...(line.crew ?? []).map(({ person_id: id, name, ...others }) => ({
    column: "crew",
    marks: { id, name },
    ...others,
  })),
];

/** The functions with columns for the landings of the one person in it: those who make none by default. */
const landing = ["instructor", "co_pilot", "picus"] as const;
const mayLand = (name: CrewFunction): name is (typeof landing)[number] => landing.some((one) => one === name);

const landingsAs = (line: FlightLine, name: CrewFunction) =>
  mayLand(name)
    ? { day_landings: line[`${name}_day_landings`] ?? null, night_landings: line[`${name}_night_landings`] ?? null }
    : { day_landings: null, night_landings: null };

const landingsOfNobody = (line: FlightLine): Issue[] =>
  landing.flatMap((name) =>
    landingKinds.flatMap((kind) => {
      const column = `${name}_${kind}` as const;
      if (line[column] === undefined || line[name]?.length === 1) return [];
      return [issue(column, "crew", `Name in the column ${name} the one person who made them.`)];
    }),
  );

/** Returns the landings of a stored crew in these columns. */
export const landingColumnsOf = (crew: readonly CrewWithLandings[]): Record<string, number> =>
  Object.fromEntries(
    landing.flatMap((name) => {
      const [member, ...others] = crew.filter(({ function: f }) => f === name);
      if (member === undefined || others.length > 0) return [];
      return landingKinds.map((kind) => [`${name}_${kind}`, member[kind]]);
    }),
  );

function marksOf(mark: string): Marks {
  if (isId<"person">(mark)) return { id: mark };
  return mark.includes("@") ? { email: mark.toLowerCase() } : { licence_number: mark };
}

/** Of several people, the one with the id or else the active ones count. */
async function personOf(tx: Tx<"tenant">, path: string, marks: Marks): Promise<{ id?: PersonId; issue?: Issue }> {
  const matches = await findMatches(tx, marks);
  const byId = matches.filter(({ id }) => id === marks.id);
  const [found, ...others] = presentOnes(byId.length > 0 ? byId : matches);
  if (found === undefined) {
    const by = marks.name === undefined ? "e-mail address, licence number or id" : "id or name";
    return { issue: issue(path, "unknown", `There is no person with this ${by}.`) };
  }
  if (others.length > 0) return { issue: issue(path, "ambiguous", "Several people match. Name the person by id.") };
  if (matches.some(({ id, erased }) => id === found && erased))
    return { id: found, issue: issue(path, "erased", "The person's data was erased. Add the person anew.") };
  return { id: found };
}

const issue = (path: string, code: Issue["code"], message: string): Issue => ({ path, code, message });
