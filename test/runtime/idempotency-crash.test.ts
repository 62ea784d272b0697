import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Installation, newInstallation } from "../support/installation.ts";
import { expectStatus, newSchool } from "../support/school.ts";
import { atEachStep, closeFiles } from "./crash-steps.ts";

test("a POST with a key, killed at any step and repeated, is carried out once", async () => {
  const origin = await mkdtemp(join(tmpdir(), "windsock-crash-"));
  const before = await newInstallation({ directory: origin });
  const { owner, orgId } = await newSchool(before);
  await closeFiles(before, origin);

  const path = `/orgs/${orgId}/people`;
  const body = { name: "Pat Person", types: ["pilot"] };
  const request = { token: owner.token, body, headers: { "idempotency-key": "k" } };
  const found: string[] = [];
  const post = async (at: Installation) => expectStatus(201, await at.call("POST", path, request));
  await atEachStep(origin, post, async (directory, isAcknowledged) => {
    const restarted = await newInstallation({ directory });
    const named = async () => {
      const { data } = expectStatus(200, await restarted.call("GET", path, { token: owner.token })).body;
      return data.filter(({ name }: { name: string }) => name === "Pat Person").length;
    };
    const wasDone = (await named()) === 1;
    if (isAcknowledged) expect(wasDone).toBe(true);
    const again = await restarted.call("POST", path, request);
    const isReplay = again.headers.get("idempotency-replayed") === "true";
    if (again.status === 409) expect(again.body.error.message).toContain("already carried out");
    found.push(`${wasDone ? "done" : "not done"}, then ${again.status}${isReplay ? " replayed" : ""}`);
    expect(await named()).toBe(1);
    expect((await restarted.call("POST", path, request)).status).toBe(again.status);
    expect(await named()).toBe(1);
    await restarted.close();
  });
  // Killed before the commit, between the commit and the stored response, and after it; nothing else may happen.
  expect([...new Set(found)]).toEqual(["not done, then 201", "done, then 409", "done, then 201 replayed"]);
  await rm(origin, { recursive: true, force: true });
}, 300_000);
