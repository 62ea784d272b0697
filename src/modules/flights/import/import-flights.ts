import { asc, eq } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import { yieldingEvery } from "../../../core/async.ts";
import type { Instant } from "../../../core/clock.ts";
import { type Issue, invalid, throwIfAny } from "../../../core/errors.ts";
import { newId } from "../../../core/ids.ts";
import type { Imported, ImportLine } from "../../../core/imports.ts";
import { readLine } from "../../../http/import-line.ts";
import type { Table } from "../../../http/import-table.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import { differences, type Importer, importLines } from "../../../storage/import-lines.ts";
import type { Tx } from "../../../storage/store.ts";
import { type AircraftRow, findByRegistration } from "../../fleet/fleet.queries.ts";
import { crewFunctions } from "../../rules/crew.values.ts";
import { type CrewEntry, landingIssues, landingKinds, withLandings } from "../crew-landings.ts";
import { insertCrew } from "../flight-content.ts";
import { completenessIssues, consistencyIssues, natureIssues, warnings } from "../flight-rules.ts";
import { flightEntity } from "../flights.queries.ts";
import type { FlightContent } from "../flights.schemas.ts";
import { flightCrew } from "../flights.tables.ts";
import { overlapOf } from "../overlaps.queries.ts";
import { trainingOf } from "../submission.ts";
import { crewNamed, crewOf, landingColumnsOf } from "./crew-of-line.ts";
import { flightAt, isOnBoard } from "./flown.queries.ts";
import { type FileLine, type FlightLine, NewFlightLine, withoutCrew, withoutListed } from "./import.schemas.ts";
import { withInstants } from "./logbook-times.ts";

type TenantTx = Tx<"tenant">;

/**
 * Adds past flights from a table. They count for their crews, and move no counters: the aircraft's readings include them.
 * The caller has read the lines.
 *
 * @throws FORBIDDEN
 */
export async function importFlights(
  context: InOrganization,
  { lines: given, faults }: Table<FileLine>,
  isTrial: boolean,
): Promise<Imported> {
  authorize(context.actor, "flights:import");
  const pause = yieldingEvery();
  const lines: ImportLine<FlightLine>[] = [];
  for (const line of given) {
    const read = withInstants(withoutListed(line));
    if ("value" in read) lines.push(read.value);
    else faults.add(line.line, read.issue);
    await pause();
  }
  return importLines(context, importerFor(context), { lines, faults, isTrial });
}

const crewColumns = [...crewFunctions, "crew"];

const affects = {
  take_off_at: ["landing_at"],
  hobbs_start: ["hobbs_end"],
  tacho_start: ["tacho_end"],
  nature: ["departure", "arrival"],
  ...Object.fromEntries(crewColumns.map((name) => [name, [...crewColumns, ""]])),
};

const importerFor = (context: InOrganization): Importer<{ id: string }, FlightLine, NewFlightLine> => ({
  permission: "flights:import",
  kept: ["registration", "off_block_at"],
  foundBy: ["registration", "off_block_at"],
  affects,
  asNew: (raw) => readLine<NewFlightLine>(NewFlightLine, raw),
  begin: async () => async (tx) => {
    // One time for all of them: they become visible together.
    const updated_at = await flightEntity.changeTime(tx);
    return {
      find: (given) => findFlown(tx, given),
      add: (added) => addFlown(tx, context, added, updated_at),
      async change(_row, change) {
        const message = "The stored flight differs. An import changes no flights: correct this line, or that flight.";
        throwIfAny(Object.keys(change).map((path) => ({ path, code: "differs", message })));
      },
    };
  },
});

/**
 * Returns the flight of the line's aircraft at the same time, with the line's own values of the crew if they are the same
 * people. A reversed flight is that of the same line only: another one corrects it.
 */
async function findFlown(tx: TenantTx, given: FlightLine): Promise<{ id: string } | undefined> {
  const { registration, off_block_at } = given;
  const required = { registration, off_block_at };
  throwIfAny(Object.entries(required).flatMap(([name, value]) => (value ? [] : [missing(name)])));
  if (registration === undefined || !off_block_at) return undefined;
  const { id: aircraft_id } = await aircraftOf(tx, registration, given);
  const flight = await flightAt(tx, { aircraft_id, off_block_at });
  if (flight === undefined) return undefined;
  const stored = await tx
    .select()
    .from(flightCrew)
    .where(eq(flightCrew.flight_id, flight.id))
    .orderBy(asc(flightCrew.position));
  const crew = await crewOf(tx, given);
  const idsAs = (name: string, members: readonly { function: string; person_id: string }[]) =>
    members
      .flatMap((member) => (member.function === name ? [member.person_id] : []))
      .sort()
      .join();
  const isSame = (name: string) => idsAs(name, stored) === idsAs(name, crew);
  const hasLanded = ({ person_id, ...entered }: CrewEntry) => {
    const member = stored.find((one) => one.person_id === person_id);
    return landingKinds.every((kind) => entered[kind] === null || entered[kind] === member?.[kind]);
  };
  const same = [
    ...crewFunctions.filter(isSame).map((name) => [name, given[name]]),
    ...(crewFunctions.every(isSame) && crew.every(hasLanded) ? [["crew", given.crew]] : []),
  ];
  const row = { ...flight, registration, ...landingColumnsOf(stored), ...Object.fromEntries(same) };
  return flight.status === "reversed" && differences(row, given).length > 0 ? undefined : row;
}

async function aircraftOf(tx: TenantTx, registration: string, line: FlightLine): Promise<AircraftRow> {
  const aircraft = await findByRegistration(tx, registration);
  if (aircraft) return aircraft;
  const unknown: Issue = { path: "registration", code: "unknown", message: "There is no such aircraft." };
  throw invalid(unknown, ...(await crewNamed(tx, line)).issues);
}

const ownFlight = "Imported by a member who was on board.";

async function addFlown(
  tx: TenantTx,
  context: InOrganization,
  line: NewFlightLine,
  updated_at: Instant,
): Promise<string> {
  const { registration, ...figures } = withoutCrew(line);
  const aircraft = await aircraftOf(tx, registration, line);
  const named = await crewNamed(tx, line);
  const content = { ...figures, aircraft_id: aircraft.id, crew: named.crew };
  const ofNature = natureIssues(content, aircraft);
  const ofValues = [
    ...consistencyIssues(content),
    ...landingIssues(content),
    ...completenessIssues(content, aircraft, tx.now),
  ];
  throwIfAny([
    ...named.issues,
    // What the others need depends on the nature.
    ...(ofNature.length > 0 ? ofNature : ofValues.map(inColumn(content, line))).filter(
      ({ code }) => code !== "crew" || named.issues.length === 0,
    ),
    ...(await overlapIssues(tx, content)).map(inColumn(content, line)),
  ]);
  const enrollment_id = await trainingOf(tx, { ...content, isComplete: true });
  const id = newId<"flight">(context.clock);
  const { crew: _, ...columns } = content;
  // What the counters showed then is not known.
  const then = { ...aircraft, hobbs: content.hobbs_start ?? 0, tacho: content.tacho_start ?? 0 };
  const state = { status: "approved", imported: true, revision: 1, warnings: warnings(content, then) } as const;
  const stamps = { created_by: context.actor.userId, created_at: tx.now, approved_at: tx.now, updated_at };
  // Marked as an approval by a member on board is.
  const self_approval_reason = (await isOnBoard(tx, context.actor, content.crew)) ? ownFlight : null;
  await addRow(tx, context, flightEntity, {
    action: "flight.imported",
    row: { id, ...state, ...columns, enrollment_id, ...stamps, self_approval_reason },
    also: () => insertCrew(tx, id, withLandings(content)),
  });
  return id;
}

/** The crew is in several columns: an issue of one member is in that of the function, and of all of them in none. */
const inColumn =
  ({ crew }: FlightContent, line: FlightLine) =>
  (issue: Issue): Issue => {
    const [first, at = ""] = issue.path.split(".");
    if (first !== "crew") return issue;
    return { ...issue, path: line.crew ? "crew" : (crew[Number.parseInt(at, 10)]?.function ?? "") };
  };

/** Of the aircraft, or of a crew member. The logbooks of two people on board may have the same flight with other times. */
async function overlapIssues(tx: TenantTx, content: FlightContent): Promise<Issue[]> {
  const other = await overlapOf(tx, content);
  if (other === undefined) return [];
  const member = content.crew.findIndex(({ person_id }) => person_id === other.person_id);
  const [path, taken] = member < 0 ? ["off_block_at", "The aircraft"] : [`crew.${member}`, "The person"];
  const message = `${taken} has another flight from ${other.off_block_at} to ${other.on_block_at}.`;
  return [{ path, code: "overlap", message }];
}

const missing = (path: string): Issue => ({ path, code: "required", message: "Is missing." });
