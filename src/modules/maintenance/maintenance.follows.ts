import { sql } from "drizzle-orm";
import { touching } from "../../storage/changes.ts";
import { answer, type Follower, on, onPrepared } from "../../storage/occasions.ts";
import { keepWords } from "../../storage/search-words.ts";
import { aircraftRenamed, countersCorrected } from "../fleet/fleet.occasions.ts";
import { flightPosted, isOnRecord } from "../flights/flights.occasions.ts";
import { assessAircraft } from "./assessment/assess-aircraft.ts";
import { defects, workOrders } from "./maintenance.tables.ts";
import { readAgain, toReadAgain } from "./readings/read-again.ts";
import { workOrderEntity, workOrdersOf, workOrderWords } from "./work-orders/work-orders.queries.ts";

const touchOrdersOf = touching(workOrderEntity, sql`${workOrders.aircraft_id} = ${sql.placeholder("id")}`);

const defectOn = sql`select 1 from ${defects} where ${defects.flight_id} = ${sql.placeholder("id")} limit 1`;

/** What is due follows the counters; work orders show the aircraft. */
export const maintenanceFollows: readonly Follower[] = [
  on(aircraftRenamed, async (tx, { id }) => {
    await touchOrdersOf(tx, { id });
    await keepWords(tx, workOrderWords, await workOrdersOf(tx, id));
  }),
  on(countersCorrected, (tx, { id, by }) => assessAircraft(tx, by, id)),
  onPrepared(
    flightPosted,
    (reader, { flight }) => toReadAgain(reader, flight),
    (tx, { flight, by }, read) => readAgain(tx, by, flight, read),
  ),
  answer(isOnRecord, async (reader, { id }) => (await reader.first(defectOn, { id })) !== undefined),
];
