import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../src/config.ts";
import { minutes } from "../../src/core/clock.ts";
import type { OrgId } from "../../src/core/ids.ts";
import { type Engine, openEngine } from "../../src/engine.ts";
import { createLog } from "../../src/http/request-log.ts";
import { findingsAbout } from "../../src/modules/flights/flights.occasions.ts";
import type { Tenant } from "../../src/storage/store.ts";
import { warmUp } from "../../src/warm-up.ts";
import { TestClock } from "../support/clock.ts";
import { newInstallation } from "../support/installation.ts";
import { newSchool, type School } from "../support/school.ts";

const clock = new TestClock();
let directory: string;
let engine: Engine | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "windsock-warm-up-"));
});
afterEach(async () => {
  await engine?.close();
  await rm(directory, { recursive: true, force: true });
});

/** Signs a school up, and stops. The school's file is then checkpointed, a minute after that of the last one. */
async function schoolOf(fill: (school: School) => Promise<unknown> = async () => undefined): Promise<OrgId> {
  const installation = await newInstallation({ directory, clock, checked: false });
  const school = await newSchool(installation);
  await fill(school);
  await installation.close();
  clock.advance(minutes(1));
  return school.orgId as OrgId;
}

/** Starts on the directory, and does what a start does before requests. @returns the flights that were judged */
async function warmedUp(): Promise<{ judged: unknown[]; isOpen: (id: OrgId) => boolean }> {
  const config = loadConfig({ WINDSOCK_DATA_DIR: directory, WINDSOCK_PORT: "0" });
  engine = await openEngine({ config, clock, log: createLog("silent") });
  const { tenants, control, keys } = engine.storage;
  const judged: unknown[] = [];
  const act = async (_: unknown, { id }: { id: string }) => {
    judged.push(id);
    return [];
  };
  const followers = new Map([[findingsAbout, [{ act }]]]);
  const tenant = (id: OrgId): Tenant => {
    const real = tenants.tenant(id);
    return Object.assign(Object.create(real), {
      read: (query: Parameters<Tenant["read"]>[0]) =>
        real.read((reader) => query(Object.assign(Object.create(reader), { followers }))),
    });
  };
  const storage = { control, keys, tenants: Object.assign(Object.create(tenants), { tenant }) };
  await warmUp({ storage, clock, publicUrl: config.publicUrl });
  return { judged, isOpen: (id) => tenants.isOpen(id) };
}

test("the school that changed last is open after a start, and its newest flight was judged", async () => {
  let submitted: unknown;
  const other = await schoolOf();
  const last = await schoolOf(async (school) => {
    await school.submitFlight(school.student);
    clock.advance(minutes(1)); // ids sort by time
    submitted = (await school.submitFlight(school.student)).id;
    await school.draftFlight(school.student);
  });
  const { judged, isOpen } = await warmedUp();
  expect([isOpen(last), isOpen(other), judged]).toEqual([true, false, [submitted]]);
});

test("a school without flights is opened", async () => {
  const id = await schoolOf();
  const { judged, isOpen } = await warmedUp();
  expect([isOpen(id), judged]).toEqual([true, []]);
});

test("a start without a school opens nothing", async () => {
  await warmedUp();
  expect(engine?.storage.tenants.stats().open).toBe(0);
});
