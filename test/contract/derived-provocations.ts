/** Refusals of many routes, derived from their valid requests: of keys, of writes, and of a damaged control database. */
import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OrgId } from "../../src/core/ids.ts";
import { damageControl } from "../storage/damaged-control.ts";
import { onFile } from "../storage/storages.ts";
import type { Answer, Call, Installation } from "../support/installation.ts";
import { newInstallationWithProvider } from "../support/oidc.ts";
import type { School } from "../support/school.ts";
import { type Provocation, type Provocations, repeat, type Scene } from "./provoke.ts";
import { nameOf, type Row, rows } from "./rows.ts";
import { countsAsWrite, statusesOf, takesIdempotencyKey, takesIfMatch } from "./settled.ts";

type Ask = (path: string, call: Call) => Promise<Answer>;

/** Replaces the request to the row itself in the requests of `provoke`. */
const changed =
  (
    row: Row,
    provoke: Provocation,
    instead: (scene: Scene, ask: Ask, path: string, call: Call) => Promise<Answer>,
  ): Provocation =>
  (scene: Scene) => {
    const { installation } = scene.school;
    const call = (method: string, path: string, sent: Call = {}) =>
      method === row.method && isPathOf(row, path)
        ? instead(scene, (elsewhere, other) => installation.call(method, elsewhere, other), path, sent)
        : installation.call(method, path, sent);
    return provoke({ ...scene, school: { ...scene.school, installation: { ...installation, call } } });
  };

const isPathOf = (row: Row, path: string) => new RegExp(`^${row.path.replace(/\{\w+\}/g, "[^/]+")}(\\?|$)`).test(path);

const keyed = (call: Call, key: string): Call => ({ ...call, headers: { ...call.headers, "idempotency-key": key } });

/** A request that is refused while one before it waits for the database. */
async function refused({ school }: Scene, before: () => Promise<Answer>, make: () => Promise<Answer>): Promise<Answer> {
  const { control, tenants } = school.installation.storage;
  const { write } = control;
  const open = tenants.tenant;
  const [held, waits] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const hold = () => {
    waits.resolve();
    return held.promise;
  };
  Object.assign(control, { write: (body: never) => hold().then(() => write.call(control, body)) });
  Object.assign(tenants, {
    tenant: (id: OrgId) => {
      const tenant = open.call(tenants, id);
      return { ...tenant, write: (body: never) => hold().then(() => tenant.write(body)) };
    },
  });
  const first = before();
  await Promise.race([waits.promise, first]);
  const requests = [first, make()];
  const answer = await Promise.race(requests);
  Object.assign(control, { write });
  Object.assign(tenants, { tenant: open });
  held.resolve();
  await Promise.all(requests);
  return answer;
}

/** A request after so many others that the account's limit of writes is reached. */
const overLimit = (row: Row, succeed: Provocation): Provocation =>
  changed(row, succeed, async (scene, ask, path, call) => {
    const { call: send, config } = scene.school.installation;
    const other = () => send("DELETE", "/auth/sessions/01890a5d-ac96-774b-bcce-b302099a8057", call);
    await repeat(config.writeRate, other);
    return ask(path, call);
  });

/** The request with a tag that its resource does not have. */
const withStaleTag = (row: Row, succeed: Provocation): Provocation =>
  changed(row, succeed, (_, ask, path, call) =>
    ask(path, { ...call, headers: { ...call.headers, "if-match": '"3b1f8c40d29ae675"' } }),
  );

const ofKeys = (row: Row, succeed: Provocation): Provocations => ({
  400: changed(row, succeed, (_, ask, path, call) => ask(path, keyed(call, "two words"))),
  409: changed(row, succeed, (scene, ask, path, call) => {
    const request = () => ask(path, keyed(call, "k"));
    return refused(scene, request, request);
  }),
  // The query counts like the body, and every row accepts one.
  422: changed(row, succeed, (scene, ask, path, call) =>
    refused(
      scene,
      () => ask(path, keyed(call, "k")),
      () => ask(`${path}?another=1`, keyed(call, "k")),
    ),
  ),
});

/** The request to a copy of the installation, whose control database is damaged. */
const onDamagedControl = (row: Row, succeed: Provocation): Provocation =>
  changed(row, succeed, async ({ school }, _, path, call) => {
    const { clock } = school.installation;
    const directory = await mkdtemp(join(tmpdir(), "windsock-"));
    await copySchool(school, directory);
    await damageControl(directory);
    const damaged = await newInstallationWithProvider({
      ...{ directory, clock, shared: true },
      env: { WINDSOCK_DEBUG_ENDPOINTS: "1" },
    });
    try {
      return await damaged.call(row.method, path, call);
    } finally {
      await damaged.close();
      await rm(directory, { recursive: true, force: true });
    }
  });

/** Copies an installation, which nobody writes to meanwhile, with only one of its schools. */
async function copySchool({ installation, orgId }: School<Installation>, directory: string): Promise<void> {
  for (const name of await readdir(installation.directory))
    if ((/^(control\.db|secret\.key)/.test(name) || name.startsWith(orgId)) && !name.endsWith("-shm"))
      await copyFile(join(installation.directory, name), join(directory, name));
  await onFile(join(directory, "control.db"), `delete from tenant_marks where org_id <> '${orgId}'`);
}

/** Adds these requests to each row that takes a key and has none of its own. */
export const withWriteLimits = (all: Record<string, Provocations>): Record<string, Provocations> =>
  Object.fromEntries(
    Object.entries(all).map(([name, own]) => {
      const row = rows.find((one) => nameOf(one) === name && countsAsWrite(one));
      const succeed = row && own[row.success];
      return [name, succeed ? { 429: overLimit(row, succeed), ...own } : own];
    }),
  );

/** Adds this request to each row that uses a database and has no 503 of its own. */
export const withDamagedControl = (all: Record<string, Provocations>): Record<string, Provocations> =>
  Object.fromEntries(
    Object.entries(all).map(([name, own]) => {
      const row = rows.find((one) => nameOf(one) === name && statusesOf(one).includes(503));
      const succeed = row && own[row.success];
      return [name, succeed ? { 503: onDamagedControl(row, succeed), ...own } : own];
    }),
  );

/** Adds this request to each row that takes an `If-Match`. */
export const withTags = (all: Record<string, Provocations>): Record<string, Provocations> =>
  Object.fromEntries(
    Object.entries(all).map(([name, own]) => {
      const row = rows.find((one) => nameOf(one) === name && takesIfMatch(one));
      const succeed = row && own[row.success];
      return [name, succeed ? { 412: withStaleTag(row, succeed), ...own } : own];
    }),
  );

export const withKeys = (all: Record<string, Provocations>): Record<string, Provocations> =>
  Object.fromEntries(
    Object.entries(all).map(([name, own]) => {
      const row = rows.find((one) => nameOf(one) === name && takesIdempotencyKey(one));
      const succeed = row && own[row.success];
      return [name, succeed ? { ...ofKeys(row, succeed), ...own } : own];
    }),
  );
