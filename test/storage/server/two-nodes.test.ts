/** Two nodes serve one school. */
import { afterEach, expect, test } from "bun:test";
import { follow } from "../../http/changes/follow.ts";
import type { Answer, Installation } from "../../support/installation.ts";
import { expectStatus, type Member, newSchool, password, times } from "../../support/school.ts";
import { cleanUp } from "../temporary.ts";
import { installationOn, newServer } from "./servers.ts";

afterEach(cleanUp);

async function twoNodes() {
  const sqld = await newServer();
  const first = await installationOn(sqld);
  const second = await installationOn(sqld, { prefix: first.prefix });
  return { first, second, nodes: [first, second] as const, school: await newSchool<Installation>(first) };
}

const post = (
  node: Installation,
  { token, orgId }: Pick<Member, "token" | "orgId">,
  { path, body, key }: { path: string; body?: unknown; key: string },
): Promise<Answer> => node.call("POST", `/orgs/${orgId}${path}`, { token, body, headers: { "idempotency-key": key } });

test("a request that two nodes get at once with one Idempotency-Key is carried out once", async () => {
  const { nodes, school } = await twoNodes();
  const { student, instructor, flightBody, aircraft } = school;
  const before = (await aircraft()).airframe_minutes;
  /** Sends to both at once, and repeats where the other one was faster. */
  async function send(by: Member, path: string, body?: unknown) {
    const key = crypto.randomUUID();
    const answers = await Promise.all(
      nodes.map(async (node) => {
        for (;;) {
          const answer = await post(node, by, { path, body, key });
          if (answer.status !== 409 || answer.body.error.reason !== "request_in_progress") return answer;
        }
      }),
    );
    expect(answers.map(({ headers }) => headers.get("idempotency-replayed")).filter((replayed) => replayed)).toEqual([
      "true",
    ]);
    const [one, other] = answers.map(({ status, body: { data } }) => ({ status, data }));
    expect(one).toEqual(other as typeof one);
    return one?.data;
  }
  const made = await Promise.all(
    times(4, async (at) => {
      const { id } = await send(student, "/flights", flightBody({ blockMinutes: 30 + at }));
      await send(student, `/flights/${id}/submit`);
      await send(instructor, `/flights/${id}/approve`);
      return `${id} approved`;
    }),
  );
  const listed = expectStatus(200, await instructor.get("/flights?limit=100")).body.data;
  expect(listed.map(({ id, status }: { id: string; status: string }) => `${id} ${status}`).sort()).toEqual(made.sort());
  expect((await aircraft()).airframe_minutes).toBe(before + 30 + 31 + 32 + 33);
});

test("ten wrong passwords at two nodes are ten, and a right one at either begins anew", async () => {
  const { nodes, first, second, school } = await twoNodes();
  const { email } = school.owner;
  const logIn = async (node: Installation, given: string) =>
    (await node.call("POST", "/auth/login", { body: { email, password: given } })).status;
  for (const at of times(9, (at) => at)) expect(await logIn(nodes[at % 2] ?? first, "wrong")).toBe(401);
  expect(await logIn(second, password)).toBe(200);
  for (const at of times(10, (at) => at)) expect(await logIn(nodes[at % 2] ?? first, "wrong")).toBe(401);
  for (const node of nodes) expect(await logIn(node, password)).toBe(429);
});

test("a session that ends at one node is refused by the other at once", async () => {
  const { first, second, school } = await twoNodes();
  const { token } = school.student;
  expectStatus(200, await second.call("GET", "/auth/me", { token }));
  expectStatus(200, await first.call("POST", "/auth/logout", { token }));
  expectStatus(401, await second.call("GET", "/auth/me", { token }));
});

test("a stream at one node tells what another commits, and ends with its session", async () => {
  const { first, second, school } = await twoNodes();
  const { owner, student, aircraftId } = school;
  const reader = await follow(first, student);
  const { token, orgId } = owner;
  const path = `/orgs/${orgId}/aircraft/${aircraftId}`;
  for (const model of ["Cessna 172R", "Cessna 172S"]) {
    expectStatus(200, await second.call("PATCH", path, { token, body: { model } }));
    expect(await reader.before("aircraft", aircraftId)).toEqual([]);
  }
  expectStatus(200, await second.call("POST", "/auth/logout", { token: student.token }));
  expect(await reader.ended()).toMatchObject({ event: "end", data: { reason: "access_changed" } });
});
