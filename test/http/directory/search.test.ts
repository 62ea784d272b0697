/** The public search of the directory. */
import { expect, test } from "bun:test";
import { found, idsOf, publish } from "../../support/directory.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, newOwnSchool, newSchool, times } from "../../support/school.ts";

const fields = ["headline", "description", "place", "country", "coordinates"];

/** Schools in places at known distances from Egelsbach (49.96, 8.645). */
async function schools() {
  const installation = await newInstallation();
  const add = async (name: string, change: object) => {
    const { owner, orgId } = await newSchool(installation);
    expectStatus(200, await owner.patch("", { name }));
    await publish(owner, "schools", orgId, { fields, ...change });
    return orgId;
  };
  const egelsbach = { place: "EDFE", country: "DE", latitude: "49.96", longitude: "8.645" };
  return {
    installation,
    egelsbach: await add("Flugschule Egelsbach", { headline: "Fliegen über Straßburg", ...egelsbach }),
    // 25 km
    mainz: await add("Aeroclub Mainz", { place: "EDFZ", country: "DE", latitude: "49.969", longitude: "8.147" }),
    // Some 480 km
    łódź: await add("Aeroklub Łódź", {
      headline: "Szkoła latania",
      country: "PL",
      latitude: "51.7",
      longitude: "19.4",
    }),
    east: await add("Fiji Flying", { latitude: "-17.75", longitude: "179.9" }),
    west: await add("Taveuni Flying", { latitude: "-17.75", longitude: "-179.9" }),
  };
}

test("text finds words and their beginnings, without accents and case, and all words must occur", async () => {
  const { installation, egelsbach, mainz, łódź, east, west } = await schools();
  const by = (q: string) => idsOf(installation, "schools", `?q=${encodeURIComponent(q)}`);
  expect(await by("LODZ")).toEqual([łódź]);
  expect(await by("łódź")).toEqual([łódź]);
  expect(await by("strassb uber")).toEqual([egelsbach]);
  expect(await by("aero")).toEqual([mainz, łódź]);
  expect(await by("fl")).toEqual([east, egelsbach, west]);
  expect(await by("flying taveuni")).toEqual([west]);
  expect(await by("flying egelsbach")).toEqual([]);
  expect(await by("gelsbach")).toEqual([]);
  expect(await by("Egelsbach, Flug")).toEqual([egelsbach]);
  expect(await by('["Egelsbach"]')).toEqual([egelsbach]);
  for (const q of ["%22", "!!", "a+b+c+d+e+f+g+h+i"]) {
    const answer = await installation.call("GET", `/public/directory/schools?q=${q}`);
    expect(expectStatus(400, answer).body.issues[0].path).toBe("query.q");
  }
});

test("a place finds what is at it, or within a distance of it, also across the 180th meridian and at the poles", async () => {
  const { installation, egelsbach, mainz, łódź, east, west } = await schools();
  const by = async (query: string) => (await idsOf(installation, "schools", `?${query}`)).sort();
  expect(await by("place=EDFE")).toEqual([egelsbach]);
  expect(await by("place=edfe&radius_km=35")).toEqual([egelsbach]);
  expect(await by("place=EDFE&radius_km=36")).toEqual([egelsbach, mainz].sort());
  expect(await by("place=49.96,8.645")).toEqual([egelsbach, mainz].sort());
  expect(await by("place=-17.75,179.99")).toEqual([east, west].sort());
  expect(await by("place=-17.75,-179.99&radius_km=5")).toEqual([]);
  expect(await by("place=90,180&radius_km=4500")).toEqual([egelsbach, mainz, łódź].sort());
  expect(await by("place=-90,0&radius_km=8300")).toEqual([east, west].sort());
  expect(await by("place=0,0&radius_km=20000")).toHaveLength(5);
  expect(await by("country=de&place=51.7,19.4&radius_km=1000")).toEqual([egelsbach, mainz].sort());
  const refused = async (query: string) =>
    expectStatus(400, await installation.call("GET", `/public/directory/schools?${query}`)).body.issues[0].path;
  expect(await refused("radius_km=10")).toBe("query.radius_km");
  expect(await refused("place=KJFK&radius_km=10")).toBe("query.place");
  expect(await refused("place=91,0")).toBe("query.place");
  expect(await refused("place=1,2,3")).toBe("query.place");
  expect(await refused("place=1,2&place=EDFE")).toBe("query.place");
});

test("what is at a place is within each distance of it, also without coordinates of its own", async () => {
  const { installation, egelsbach, mainz } = await schools();
  const { owner, orgId } = await newSchool(installation);
  await publish(owner, "schools", orgId, { fields: ["place"], place: "EDFE" });
  const by = (query: string) => idsOf(installation, "schools", `?${query}`);
  expect((await by("place=EDFE&radius_km=1")).sort()).toEqual([egelsbach, orgId].sort());
  expect((await by("place=EDFE&radius_km=36")).sort()).toEqual([egelsbach, mainz, orgId].sort());
  expect((await by("place=49.96,8.645&radius_km=36")).sort()).toEqual([egelsbach, mainz].sort());
});

test("pages by cursor and by offset have the order of the list, and a tag saves an unchanged page", async () => {
  const { installation } = await schools();
  const names = (await found(installation, "schools")).map(({ name }: { name: string }) => name);
  expect(names).toEqual(["Aeroclub Mainz", "Aeroklub Łódź", "Fiji Flying", "Flugschule Egelsbach", "Taveuni Flying"]);
  const page = async (query: string) => installation.call("GET", `/public/directory/schools?${query}`);
  const first = expectStatus(200, await page("limit=2&with_total=true"));
  expect(first.body.page).toMatchObject({ has_more: true, total: 5 });
  const second = expectStatus(200, await page(`limit=2&cursor=${first.body.page.next_cursor}`)).body;
  expect(second.data).toEqual((await page("limit=2&offset=2")).body.data);
  expect(expectStatus(400, await page("offset=2001")).body.issues[0].path).toBe("query.offset");
  const headers = { "if-none-match": first.headers.get("etag") ?? "" };
  const again = await installation.call("GET", "/public/directory/schools?limit=2&with_total=true", { headers });
  expect(again.status).toBe(304);
});

test("instructors are found by rating, aircraft by class, and only by what is published", async () => {
  const { installation, owner, aircraftId } = await newOwnSchool();
  const added = await owner.post("/people", { name: "Fritz Flieger", types: ["instructor"], ratings: ["FI(A)"] });
  const { id } = expectStatus(201, added).body.data;
  await publish(owner, "instructors", id);
  await publish(owner, "aircraft", aircraftId);
  expect(await idsOf(installation, "instructors", "?rating=FI(A)")).toEqual([]);
  expect(await idsOf(installation, "aircraft", "?class=SEP")).toEqual([]);
  await publish(owner, "instructors", id, { fields: ["ratings"] });
  await publish(owner, "aircraft", aircraftId, { fields: ["class"] });
  expect(await idsOf(installation, "instructors", "?rating=fi(a)")).toEqual([id]);
  expect(await idsOf(installation, "instructors", "?rating=FI")).toEqual([]);
  expect(await idsOf(installation, "aircraft", "?class=SEP&q=cessna")).toEqual([aircraftId]);
  expect(await idsOf(installation, "aircraft", "?class=MEP")).toEqual([]);
});

test("an address makes at most 300 requests a minute", async () => {
  const installation = await newInstallation();
  const ask = (from: string) => installation.call("GET", "/public/directory/schools", { from });
  for (const _ of times(300, () => 0)) expectStatus(200, await ask("203.0.113.9"));
  expectStatus(429, await ask("203.0.113.9"));
  expectStatus(200, await ask("203.0.113.10"));
});

test("without the directory its routes are 404, and what was published comes back with it", async () => {
  const installation = await newInstallation({ env: { WINDSOCK_DISABLE: "directory" } });
  const { owner } = await newSchool(installation);
  expectStatus(404, await installation.call("GET", "/public/directory/schools"));
  expectStatus(404, await owner.get("/directory/school"));
  expect((await installation.call("GET", "/capabilities")).body.data.modules.directory).toBe(false);
});
