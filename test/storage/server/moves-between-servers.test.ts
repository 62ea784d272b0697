/** `windsock org move` from one libSQL server to another. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { auditVerify } from "../../../src/modules/operations/commands.ts";
import { dumpNamespace } from "../../../src/storage/server/copy-namespace.ts";
import { Engine } from "../../../src/storage/server/engine.ts";
import { attach, recordOf } from "../../http/attachments/attaching.ts";
import { expectMoved } from "../../http/moving/full-school.ts";
import { depsOf, newFolder, removeFolders, rowsOf } from "../../http/moving/moves.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, newSchool, password, pdf } from "../../support/school.ts";
import type { Sqld } from "../../support/sqld.ts";
import { cleanUp, newDirectory } from "../temporary.ts";
import { forgetNodes, killMove, movesPrefix } from "./killed-moves.ts";
import { stateAt } from "./moving-schools.ts";
import { newServer, variablesFor } from "./servers.ts";

afterEach(cleanUp);
afterAll(removeFolders);

async function rowsAt(sqld: Sqld, id: string) {
  const session = new Engine(sqld.settings(movesPrefix)).session(id);
  const to = join(await newDirectory(), "dumped.db");
  await dumpNamespace(session, "tenant", to);
  session.close();
  return rowsOf(to);
}

test("a move between two servers that is killed at any step is at one of them, and in the end whole at the second", async () => {
  const [here, there] = [await newServer(), await newServer()];
  const from = { directory: await newFolder(), env: await variablesFor(here, movesPrefix) };
  const secret = { WINDSOCK_SECRET_KEY: "the secret of the second installation, which is another" };
  const to = { directory: await newFolder(), env: { ...(await variablesFor(there, movesPrefix)), ...secret } };
  const first = await newInstallation({ ...from, checked: false });
  const school = await newSchool(first);
  const { orgId: id, owner, student, instructor } = school;
  const flight = await school.submitFlight(student, { blockMinutes: 62 });
  expectStatus(200, await instructor.post(`/flights/${flight.id}/approve`));
  await attach(owner, await recordOf(school), { body: pdf(300 * 1024) });
  const other = await newSchool(first);
  await first.close();
  await (await newInstallation({ ...to, checked: false })).close();

  const steps = ["move: suspend", "move: export", "export: copied", "export: sealed", "move: adopt", "adoption: stage"];
  const inside = ["tenant namespace: noted", "tenant namespace: created", "tenant namespace: loaded"];
  const found: [string, string][] = [];
  for (const step of [...steps, ...inside, "tenant namespace: compared", "adoption: owned", ""])
    found.push([step, await killMove({ id, from, to, step }, here, there)]);
  expect(found.map(([, at]) => at)).toEqual([
    // Nothing was done yet by the two before.
    "active, nowhere",
    "active, nowhere",
    ...Array(found.length - 3).fill("suspended, nowhere"),
    "suspended, active",
  ]);

  await forgetNodes(here, there);
  const [before, after] = [await rowsAt(here, id), await rowsAt(there, id)];
  expect(before.flights).toHaveLength(1);
  expect(before.attachment_chunks).toHaveLength(2);
  // Its copy was suspended, and is not there.
  expectMoved(before, after, { metaColumns: ["changes", "writes", "suspended_at"] });
  const [left, arrived] = [await newInstallation(from), await newInstallation(to)];
  expect([await stateAt(left, id), await stateAt(arrived, id)]).toEqual(["suspended", "active"]);
  expect([await stateAt(left, other.orgId), await stateAt(arrived, other.orgId)]).toEqual(["active", undefined]);
  for (const at of [left, arrived]) expect(await auditVerify.handle(depsOf(at), {})).toMatchObject({ ok: true });
  const login = { email: owner.email, password };
  const { access_token: token } = expectStatus(200, await arrived.call("POST", "/auth/login", { body: login })).body;
  expect(expectStatus(200, await arrived.call("GET", `/orgs/${id}/flights`, { token })).body.data).toMatchObject([
    { id: flight.id, status: "approved" },
  ]);
}, 240_000);
