/** What the console takes in a browser while it is used for long. `scripts/bench/console.ts` measures the same at length. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { expectStatus, newSchool, type School } from "../support/school.ts";
import { executablePath, openStage, type Stage } from "./browser.ts";
import { openScreen, readOn, used } from "./measures.ts";

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  let school: School;
  let person = "";
  beforeAll(async () => {
    stage = await openStage();
    school = await newSchool(stage.installation);
    await school.submitFlight(school.student);
    const names = Array.from({ length: 230 }, (_, n) => `Person ${n},person${n}@example.com,student`);
    const body = new Blob([["name,email,types", ...names].join("\n")], { type: "text/csv" });
    expectStatus(200, await school.owner.post("/people/import", body));
    person = expectStatus(200, await school.owner.get("/people")).body.data[0].id;
  }, 120_000);
  afterAll(() => stage.close());

  test("screens that were left leave no nodes, listeners and memory behind", async () => {
    const page = await stage.open({ as: school.owner });
    const tour = [
      "/app/flights",
      "/app/flights/new",
      "/app/flights/approvals",
      "/app/people",
      `/app/people/${person}`,
      "/app/aircraft",
      `/app/aircraft/${school.aircraftId}`,
      "/app/account",
      "/app/settings",
      "/app/settings/members",
      "/app/today",
    ];
    const session = await page.context().newCDPSession(page);
    const walk = async (rounds: number) => {
      for (let round = 0; round < rounds; round += 1) for (const path of tour) await openScreen(page, path);
      return used(session);
    };
    // The first rounds load files, are compiled, and fill what is kept.
    const before = await walk(3);
    const after = await walk(3);
    expect(after.nodes).toBeLessThan(before.nodes + 50);
    expect(after.listeners).toBeLessThan(before.listeners + 20);
    expect(after.heap).toBeLessThan(before.heap + 1_000_000);
  }, 180_000);

  test("a list is as long as its page, however many pages were read", async () => {
    const page = await stage.open({ as: school.owner });
    await openScreen(page, "/app/people");
    const session = await page.context().newCDPSession(page);
    const rows = page.getByRole("table", { name: "People" }).getByRole("rowheader");
    await readOn(page);
    const second = { rows: await rows.count(), ...(await used(session)) };
    const names = await rows.allTextContents();
    for (let read = 2; read < 4; read += 1) await readOn(page);
    const fourth = { rows: await rows.count(), ...(await used(session)) };
    expect(await rows.allTextContents()).not.toEqual(names);
    expect(fourth.rows).toBe(second.rows);
    expect(fourth.nodes).toBeLessThan(second.nodes + 50);
    expect(fourth.listeners).toBeLessThan(second.listeners + 20);
    // All that grows is what is kept of the pages that were read.
    expect(fourth.heap).toBeLessThan(second.heap + 1_000_000);
  });
});
