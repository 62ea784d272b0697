/** The trips to the server that the commonest requests make. `bun scripts/bench/store-trips.ts` says what is in them. */
import { afterEach, expect, test } from "bun:test";
import { newSchool } from "../../support/school.ts";
import { cleanUp } from "../temporary.ts";
import { commonRequests } from "./common-requests.ts";
import { installationOn, newServer } from "./servers.ts";

afterEach(cleanUp);

/** No more than these. */
const most: Record<string, number> = {};

test("the commonest requests make few trips", async () => {
  const trips: { namespace: string; statements: readonly string[] }[] = [];
  const traffic = {
    onTrip: (namespace: string, statements: readonly string[]) => void trips.push({ namespace, statements }),
  };
  const school = await newSchool(await installationOn(await newServer(), { traffic }));
  const counted: Record<string, number> = {};
  for await (const { name, send } of commonRequests(school)) {
    trips.length = 0;
    expect((await send()).status).toBeLessThan(300);
    counted[name] = trips.length;
  }
  expect(Object.entries(counted).filter(([name, count]) => count > (most[name] ?? 0))).toEqual([]);
});
