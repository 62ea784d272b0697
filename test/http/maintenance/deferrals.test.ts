/** A defect that is deferred by hours: they are those of the flights since then, whatever happens to the counter. */
import { expect, test } from "bun:test";
import type { Installation } from "../../support/installation.ts";
import { expectStatus, newOwnSchool, type School } from "../../support/school.ts";
import { signedIn } from "./maintaining.ts";

/** The aircraft's counter when it is added, on 14 June 2026. */
const opening = 74_070;

/** A defect that is deferred by two hours, and a day later a member who flies with it. */
async function deferredSchool(before?: (school: School) => Promise<void>) {
  const school = await newOwnSchool();
  const defects = `/aircraft/${school.aircraftId}/defects`;
  const report = { description: "Left brake drags.", grounding: true };
  const { id } = expectStatus(201, await school.owner.post(defects, report)).body.data;
  await before?.(school);
  const defer = (hours: string, by: Pick<typeof school.owner, "post"> = school.owner) =>
    by.post(`${defects}/${id}/defer`, { reason: "The part is ordered.", hours });
  const deferred = expectStatus(200, await defer("2.00")).body.data;
  school.installation.clock.advance(24 * 3_600_000);
  const owner = await signedIn(school);
  const get = async (path: string) => expectStatus(200, await owner.get(path)).body.data;

  return {
    deferred,
    get,
    defer: (hours: string) => defer(hours, owner),
    /** Flies on a day in June and approves, today by default. @returns the flight's id */
    async fly(minutes: number, from = nextHour(school)) {
      const off = Date.parse(from);
      const on_block_at = new Date(off + minutes * 60_000).toISOString();
      const body = { off_block_at: new Date(off).toISOString(), on_block_at };
      const { id } = expectStatus(201, await owner.post("/flights", school.flightBody({ body }))).body.data;
      expectStatus(200, await owner.post(`/flights/${id}/submit`));
      expectStatus(200, await owner.post(`/flights/${id}/approve`, { acknowledge: ["aircraft_grounded"] }));
      return id as string;
    },
    reverse: async (flight: string) =>
      expectStatus(200, await owner.post(`/flights/${flight}/reverse`, { reason: "Another aircraft." })),
    correct: (airframe_minutes: number) => correct(school, airframe_minutes, owner),
    status: async () => (await get(`/aircraft/${school.aircraftId}`)).status,
    limit: async () => (await get(`${defects}/${id}`)).deferred_until_airframe_minutes,
    /** Of a flight of so many minutes. */
    async clearance(minutes: number) {
      const query = `aircraft_id=${school.aircraftId}&person_id=${school.student.personId}&function=solo`;
      const { reasons } = await get(`/clearance?${query}&at=2026-06-15T12:00:00Z&minutes=${minutes}`);
      return reasons.flatMap(({ rule, message }: Record<string, string>) =>
        ["aircraft_grounded", "maintenance_due"].includes(rule ?? "") ? [message] : [],
      );
    },
  };
}

/** The hours of 14 June after the deferral, which is at 09:00, one after another. */
const hours = new WeakMap<object, number>();
function nextHour(school: School<Installation>): string {
  const hour = (hours.get(school) ?? 9) + 1;
  hours.set(school, hour);
  return `2026-06-14T${hour}:00:00Z`;
}

async function correct(
  { aircraftId, owner }: School,
  airframe_minutes: number,
  by: Pick<typeof owner, "patch"> = owner,
) {
  const counters = { airframe_minutes, reason: "Read from the instrument." };
  expectStatus(200, await by.patch(`/aircraft/${aircraftId}`, { counters }));
}

const over = "Grounded: The deferral has ended: Left brake drags.";
const overByThen = "The deferral ends before the end of the flight: Left brake drags.";

test("a correction, or an exchange of the instrument, moves the reading at which a deferral ends, and not its hours", async () => {
  for (const reading of [opening + 600, opening - 600, 0]) {
    const { correct, fly, limit, status, clearance } = await deferredSchool();
    await fly(30);
    expect(await limit()).toBe(opening + 120);

    await correct(reading + 30);
    expect(await limit()).toBe(reading + 120);
    await fly(50);
    expect([await clearance(40), await clearance(41)]).toEqual([[], [overByThen]]);
    await fly(40); // exactly the limit
    expect([await limit(), await status(), await clearance(1)]).toEqual([reading + 120, "available", [overByThen]]);
    await fly(1);
    expect([await limit(), await status(), await clearance(1)]).toEqual([reading + 120, "grounded", [over]]);

    for (const other of [opening + 5000, 200]) {
      await correct(other);
      expect([await limit(), await status(), await clearance(1)]).toEqual([other - 1, "grounded", [over]]);
    }
  }
});

test("the reading at which a deferral ended is never shown below zero", async () => {
  const { correct, fly, limit, status } = await deferredSchool();
  await fly(59);
  await fly(59);
  await fly(12); // ten minutes over
  await correct(9);
  expect([await limit(), await status()]).toEqual([0, "grounded"]);
  await correct(11);
  expect([await limit(), await status()]).toEqual([1, "grounded"]);
});

test("a correction before the deferral is in its limit already", async () => {
  const { deferred, fly, limit, status } = await deferredSchool((school) => correct(school, 600));
  expect(deferred.deferred_until_airframe_minutes).toBe(720);
  await fly(59);
  await fly(59);
  await fly(2);
  expect([await limit(), await status()]).toEqual([720, "available"]);
  await fly(1);
  expect([await limit(), await status()]).toEqual([720, "grounded"]);
});

test("flights from before a deferral that are approved or reversed after it leave its hours as they are", async () => {
  const { fly, reverse, correct, limit, status } = await deferredSchool();
  const early = await fly(90, "2026-06-14T05:00:00Z");
  expect([await limit(), await status()]).toEqual([opening + 210, "available"]);
  await fly(29, "2026-06-14T08:31:00Z"); // it landed at the moment of the deferral
  expect([await limit(), await status()]).toEqual([opening + 239, "available"]);
  const last = await fly(31, "2026-06-14T09:01:00Z");
  await fly(59);
  await fly(30);
  expect([await limit(), await status()]).toEqual([opening + 239, "available"]);

  await correct(opening);
  await reverse(early);
  expect([await limit(), await status()]).toEqual([opening - 90, "available"]);
  const over = await fly(1);
  expect([await limit(), await status()]).toEqual([opening - 90, "grounded"]);
  await reverse(last);
  await fly(30, "2026-06-14T09:01:00Z"); // entered again, a minute shorter
  expect([await limit(), await status()]).toEqual([opening - 90, "available"]);
  await fly(1);
  await reverse(over);
  expect([await limit(), await status()]).toEqual([opening - 90, "available"]);
});

test("a flight that is in the air at the moment of a deferral counts: it ends with the defect", async () => {
  const { fly, limit, status } = await deferredSchool();
  await fly(120, "2026-06-14T07:01:00Z");
  expect([await limit(), await status()]).toEqual([opening + 120, "available"]);
  await fly(1);
  expect(await status()).toBe("grounded");
});

test("a defect that is deferred again may fly its hours from then on", async () => {
  const { fly, defer, correct, limit, status } = await deferredSchool();
  await fly(59);
  await fly(59);
  await fly(3);
  await correct(opening - 600);
  expect(await status()).toBe("grounded");
  const { data } = expectStatus(200, await defer("0.00")).body;
  expect(data.deferred_until_airframe_minutes).toBe(opening - 600);
  expect([await limit(), await status()]).toEqual([opening - 600, "available"]);
  await correct(opening);
  expect([await limit(), await status()]).toEqual([opening, "available"]);
  await fly(1, "2026-06-15T08:59:00Z"); // it landed at the moment of the deferral
  expect([await limit(), await status()]).toEqual([opening + 1, "available"]);
});
