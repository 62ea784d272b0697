/** Programs that keep a copy of the public lists by `updated_since`: it is the list, after each change that anybody makes. */
import { expect, test } from "bun:test";
import { mirrorUnderLoad } from "../../scripts/mirrors.ts";
import { newMirror } from "../support/mirror.ts";
import { csv, expectStatus, newSchool } from "../support/school.ts";
import { changeEach, newStage } from "../support/stage.ts";

// A mirror asks more often than a key may.
const env = { WINDSOCK_API_KEY_RATE: "100000" };

test("a mirror by updated_since is equal to the lists after each kind of change, and after each name is another", async () => {
  const stage = await newStage({ env });
  const { owner } = stage.school;
  const mirror = await newMirror(stage.school);
  const missed: object[] = [];
  const compare = async (after: string) => {
    await mirror.refresh();
    for (const difference of await mirror.differences()) missed.push({ after, ...difference });
  };

  // Each comparison reads all lists, so there is one for several changes.
  const since: string[] = [];
  await changeEach(stage, async (name) => {
    if (since.push(name) < 10) return;
    await compare(since.splice(0).join(", "));
  });
  await compare(since.join(", "));

  const named = { people: "name", aircraft: "registration", "planning/rooms": "name", "training/programs": "name" };
  for (const [path, field] of Object.entries(named)) {
    const { data } = expectStatus(200, await owner.get(`/${path}?limit=500`)).body;
    for (const [at, { id, status }] of data.entries()) {
      if (status === "archived") continue;
      expectStatus(200, await owner.patch(`/${path}/${id}`, { [field]: `N-${at}` }));
    }
    await compare(`other names of ${path}`);
  }

  const flights = expectStatus(200, await owner.get("/flights?status=approved&limit=500")).body.data;
  for (const { id } of flights)
    await owner.post(`/flights/${id}/reverse`, { reason: "Entered for the wrong aircraft" });
  await compare("reversals");

  expect(missed).toEqual([]);
  for (const path of mirror.paths) expect([path, mirror.size(path) > 0]).toEqual([path, true]);
}, 300_000);

test("updated_since shows who left the list of pilots, and why", async () => {
  const school = await newSchool();
  const { owner } = school;
  const key = await school.apiKey("public.pilots:read");
  const add = async (name: string, types: string[]): Promise<string> =>
    expectStatus(201, await owner.post("/people", { name, types })).body.data.id;
  const archived = await add("Archived", ["pilot"]);
  const noPilot = await add("No pilot", ["student", "staff"]);
  const imported = await add("Imported", ["instructor"]);
  const never = await add("Never", ["staff"]);
  const { page } = expectStatus(200, await school.publicGet("/pilots?updated_since=2000-01-01T00:00:00Z", key)).body;

  expectStatus(200, await owner.patch(`/people/${archived}`, { status: "archived" }));
  expectStatus(200, await owner.patch(`/people/${noPilot}`, { types: ["staff"] }));
  const table = csv(`id,name,types\n${imported},Imported,mechanic\n`);
  expectStatus(200, await owner.call("POST", `/orgs/${school.orgId}/people/import`, { body: table }));
  expectStatus(200, await owner.patch(`/people/${never}`, { name: "Never at all" }));

  const changed = async (type: string) => {
    const query = `updated_since=2000-01-01T00:00:00Z&cursor=${encodeURIComponent(page.last_cursor)}&type=${type}`;
    const { data } = expectStatus(200, await school.publicGet(`/pilots?${query}`, key)).body;
    return data.map(({ id, status, types }: Record<string, unknown>) => [id, status, types]);
  };
  expect(await changed("all")).toEqual([
    [archived, "archived", ["pilot"]],
    [noPilot, "active", ["staff"]],
    [imported, "active", ["mechanic"]],
  ]);
  expect((await changed("pilot")).map(([id]: [string]) => id)).toEqual([archived, noPilot]);
  expect((await changed("instructor")).map(([id]: [string]) => id)).toEqual([imported]);
  const now = expectStatus(200, await school.publicGet("/pilots", key)).body.data;
  for (const id of [archived, noPilot, imported]) expect(now.map((one: { id: string }) => one.id)).not.toContain(id);
});

// The long form is `bun scripts/mirrors.ts`.
test("a mirror that reads while eight writers change everything is equal to the lists when they rest", async () => {
  const { differences, changes, comparisons } = await mirrorUnderLoad({ seconds: 2, seed: Date.now() % 1_000_000 });
  expect(differences).toEqual([]);
  // Otherwise nothing was tested.
  expect([changes > 20, comparisons > 0]).toEqual([true, true]);
}, 300_000);
