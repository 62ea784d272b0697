/** The trips to the server that the commonest requests make. Each takes longer than SQLite needs for its statements. */
import { afterEach, expect, test } from "bun:test";
import { dual, openOf, usualRates } from "../../http/finance/school.ts";
import { addItem } from "../../http/maintenance/maintaining.ts";
import type { Answer } from "../../support/installation.ts";
import { newSchool } from "../../support/school.ts";
import { cleanUp } from "../temporary.ts";
import { commonRequests } from "./common-requests.ts";
import { installationOn, newServer } from "./servers.ts";

afterEach(cleanUp);

/** No more than these. What does not depend on each other is read in a `Promise.all`, which is one trip (`src/storage/server/`). */
const most: Record<string, number> = {
  // And one more: its two limits ask the same of control.
  "sign in": 9,
  me: 7,
  flights: 4,
  aircraft: 3,
  people: 3,
  "draft a flight": 6,
  "change a flight": 7,
  "submit a flight": 8,
  "approve a flight": 8,
  "flights, by a program": 4,
};

/** Returns the school of an installation on a server, and a function that returns the trips of a request. */
async function countedSchool() {
  let trips: string[] = [];
  const traffic = {
    onTrip(namespace: string, statements: readonly string[]) {
      // The node says that it lives.
      if (statements[0]?.startsWith('update "nodes"')) return;
      const trip = `${namespace}: ${statements.join("; ")}`;
      // The gate asks control again what it has just asked, if another second has begun (`Control.changes`).
      if (!namespace.endsWith("control") || !trips.includes(trip)) trips.push(trip);
    },
  };
  const school = await newSchool(await installationOn(await newServer(), { traffic }));
  return {
    school,
    async tripsOf(send: () => Promise<Answer>): Promise<readonly string[]> {
      trips = [];
      expect([200, 201]).toContain((await send()).status);
      const made = trips;
      trips = [];
      return made;
    },
  };
}

test("the commonest requests make no more trips than they need today", async () => {
  const { school, tripsOf } = await countedSchool();
  const made: Record<string, readonly string[]> = {};
  for await (const { name, send } of commonRequests(school)) made[name] = await tripsOf(send);
  expect(Object.keys(made)).toEqual(Object.keys(most));
  expect(Object.entries(made).filter(([name, { length }]) => length > (most[name] ?? 0))).toEqual([]);
});

test("an approval that charges the flight and finds anew what maintenance is due makes few trips more", async () => {
  const { school, tripsOf } = await countedSchool();
  await usualRates(school);
  await addItem(school, { hours_counter: "hobbs", interval_hours: "100.00" });
  const { id } = await school.submitFlight(school.student, { body: dual(school) });
  const trips = await tripsOf(() => school.owner.post(`/flights/${id}/approve`));
  expect(await openOf(school, id)).toHaveLength(3);
  expect(trips.length > 13 ? trips : []).toEqual([]);
});
