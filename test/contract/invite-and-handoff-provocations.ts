/** The rows of student invites and of hand-off tokens: a request for each status. */
import { mkdtemp, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { InviteId } from "../../src/core/ids.ts";
import { invites } from "../../src/modules/organizations/organizations.tables.ts";
import { type Answer, type Installation, newInstallation } from "../support/installation.ts";
import { expectStatus, newSchool, password, type School } from "../support/school.ts";
import { broken, ofBodies, type Provocation, type Provocations, repeat, type Scene, to } from "./provoke.ts";

let born = 0;
async function invited({ school }: Pick<Scene, "school">): Promise<{ id: string; token: string }> {
  const email = `student${++born}@contract.example`;
  const person = { name: "Stu Dent", types: ["student"], email };
  const { id } = expectStatus(201, await school.owner.post("/people", person)).body.data;
  return expectStatus(201, await school.owner.post("/student-invites", { person_id: id })).body.data;
}

const noSuchToken = "A".repeat(43);
const claimBody = (token: string) => ({ token, password });
const claim = to("POST", "/auth/student-invites/claim");
const show = (scene: Scene, token: string) => to("GET", `/auth/student-invites/${token}`)(scene);

async function claimed(scene: Scene): Promise<string> {
  const { token } = await invited(scene);
  expectStatus(200, await claim(scene, { body: claimBody(token) }));
  return token;
}

async function revoked(scene: Scene): Promise<string> {
  const { id, token } = await invited(scene);
  await scene.school.installation.storage.control.write((tx) =>
    tx
      .update(invites)
      .set({ revoked_at: tx.now })
      .where(eq(invites.id, id as InviteId)),
  );
  return token;
}

/** A request for an invite of a school whose records can't be opened. */
const outOfReach =
  (ask: (school: School<Installation>, token: string, from: string) => Promise<Answer>): Provocation =>
  async ({ from }) => {
    const directory = await mkdtemp(join(tmpdir(), "windsock-"));
    const first = await newInstallation({ directory, shared: true });
    const school = await newSchool(first);
    const { token } = await invited({ school });
    // Only a closed file may be changed.
    await first.close();
    await truncate(join(directory, `${school.orgId}.db`), 100);
    const second = await newInstallation({ directory, shared: true });
    try {
      return await ask({ ...school, installation: second }, token, from);
    } finally {
      await second.close();
      await rm(directory, { recursive: true, force: true });
    }
  };

const showRow: Provocations = {
  200: async (scene) => show(scene, (await invited(scene)).token),
  400: (scene) => show(scene, "not-of-the-form"),
  404: (scene) => show(scene, noSuchToken),
  409: async (scene) => show(scene, await claimed(scene)),
  410: async (scene) => show(scene, await revoked(scene)),
  500: broken(to("GET", `/auth/student-invites/${noSuchToken}`), () => ({})),
  503: outOfReach((school, token, from) => show({ school, from }, token)),
};

const claimRow: Provocations = {
  ...ofBodies(claim),
  200: async (scene) => claim(scene, { body: claimBody((await invited(scene)).token) }),
  400: async (scene) => claim(scene, { body: { token: (await invited(scene)).token } }),
  401: async (scene) => claim(scene, { token: "not.a.token", body: claimBody((await invited(scene)).token) }),
  404: (scene) => claim(scene, { body: claimBody(noSuchToken) }),
  409: async (scene) => claim(scene, { body: claimBody(await claimed(scene)) }),
  410: async (scene) => claim(scene, { body: claimBody(await revoked(scene)) }),
  429: (scene) => repeat(61, () => claim(scene, { body: claimBody(noSuchToken) })),
  500: broken(claim, () => ({ body: claimBody(noSuchToken) })),
  503: outOfReach((school, token, from) => claim({ school, from }, { body: claimBody(token) })),
};

const issue = to("POST", "/auth/establish-token");
const byOwner = ({ school }: Scene) => ({ token: school.owner.token });
const issueRow: Provocations = {
  ...ofBodies((scene, call) => issue(scene, { ...byOwner(scene), ...call })),
  200: (scene) => issue(scene, byOwner(scene)),
  400: (scene) => issue(scene, { ...byOwner(scene), body: { account_type: "club" } }),
  401: (scene) => issue(scene),
  500: broken(issue, byOwner),
};

const exchange = to("POST", "/auth/establish-exchange");
const exchangeRow: Provocations = {
  ...ofBodies(exchange),
  200: async (scene) =>
    exchange(scene, { body: { token: expectStatus(200, await issue(scene, byOwner(scene))).body.token } }),
  400: (scene) => exchange(scene, { body: {} }),
  401: (scene) => exchange(scene, { body: { token: noSuchToken } }),
  500: broken(exchange, () => ({ body: { token: noSuchToken } })),
};

export const inviteAndHandoffProvocations: Record<string, Provocations> = {
  "GET /auth/student-invites/{token}": showRow,
  "POST /auth/student-invites/claim": claimRow,
  "POST /auth/establish-token": issueRow,
  "POST /auth/establish-exchange": exchangeRow,
};
