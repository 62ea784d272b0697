/** The trips to the server that the commonest requests make. Each takes longer than SQLite needs for its statements. */
import { afterEach, expect, test } from "bun:test";
import { newSchool } from "../../support/school.ts";
import { cleanUp } from "../temporary.ts";
import { commonRequests } from "./common-requests.ts";
import { installationOn, newServer } from "./servers.ts";

afterEach(cleanUp);

/** No more than these. What does not depend on each other is read in a `Promise.all`, which is one trip (`src/storage/server/`). */
const most: Record<string, number> = {
  "sign in": 7,
  me: 7,
  flights: 4,
  aircraft: 3,
  people: 3,
  "draft a flight": 9,
  "change a flight": 11,
  "submit a flight": 23,
  "approve a flight": 30,
  "flights, by a program": 4,
};

test("the commonest requests make no more trips than they need today", async () => {
  let trips = 0;
  const traffic = {
    onTrip: () => {
      trips += 1;
    },
  };
  const school = await newSchool(await installationOn(await newServer(), { traffic }));
  const counted: Record<string, number> = {};
  for await (const { name, send } of commonRequests(school)) {
    trips = 0;
    expect([200, 201]).toContain((await send()).status);
    counted[name] = trips;
  }
  expect(Object.keys(counted)).toEqual(Object.keys(most));
  expect(Object.entries(counted).filter(([name, count]) => count > (most[name] ?? 0))).toEqual([]);
});
