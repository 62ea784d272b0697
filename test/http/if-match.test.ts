/** A write with `If-Match` is carried out only if the resource is still what the client has seen. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { commits } from "../support/databases.ts";
import type { Answer, Call } from "../support/installation.ts";
import type { Prepared } from "../support/scenery.ts";
import { expectStatus, newOwnSchool, newSchool, type School } from "../support/school.ts";
import { newStage, prepare, routeNamed, routeNames, type Stage } from "../support/stage.ts";

/** Writes to what has no GET. */
const withoutTag = ["DELETE /auth/mfa/enroll"];

describe("every PATCH, PUT and DELETE", async () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await newStage();
  });
  afterAll(() => stage.installation.close());

  const names = (await routeNames()).filter((name) => /^(PATCH|PUT|DELETE) /.test(name));

  test.each(names)("%s", async (name) => {
    const { installation, school } = stage;
    const route = routeNamed(stage, name);
    const prepared = await prepare(route, school);
    // Its own session, because the route may end it.
    const own = route.security === "user" ? (await school.join(["student"])).token : school.owner.token;
    const ask = (method: string, path: string, ifMatch?: string) => {
      const { query, caller, path: _, ...sent } = prepared;
      return installation.call(method, method === "GET" || query === undefined ? path : `${path}?${query}`, {
        ...(method === "GET" ? {} : sent),
        token: caller ?? own,
        ...(ifMatch !== undefined && { headers: { ...sent.headers, "if-match": ifMatch } }),
      });
    };
    if (withoutTag.includes(name)) {
      const refused = expectStatus(400, await ask(route.method, prepared.path, '"3b1f8c40d29ae675"'));
      expect(refused.body.error.message).toContain("If-Match");
      return;
    }
    const tag = await tagOf(stage, prepared, (path) => ask("GET", path));
    const before = await commits(installation.storage);
    const refused = expectStatus(412, await ask(route.method, prepared.path, '"3b1f8c40d29ae675"'));
    expect(refused.body.error).toMatchObject({ code: "PRECONDITION_FAILED", reason: "resource_changed" });
    expect(refused.headers.get("etag")).toBe(tag);
    expect(await commits(installation.storage)).toEqual(before);
    const done = await ask(route.method, prepared.path, tag);
    if (done.status >= 300) throw new Error(`${name} with the present tag: ${done.status} ${done.text}`);
  });
});

/** The tag of the nearest path that has a GET. */
async function tagOf({ routes }: Stage, { path }: Prepared, get: (path: string) => Promise<Answer>): Promise<string> {
  const isGet = (at: string) =>
    routes.some(
      ({ method, template }) =>
        method === "GET" && new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`).test(at) && template !== "/app/*",
    );
  for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/")))
    if (isGet(at)) return String(expectStatus(200, await get(at)).headers.get("etag"));
  throw new Error(`No path of ${path} has a GET.`);
}

/** A school's person, and how its desk asks about them. */
async function scene() {
  const school = await newSchool();
  const { id } = expectStatus(201, await school.owner.post("/people", { name: "Ada Nova", types: ["student"] })).body
    .data;
  const path = `/orgs/${school.orgId}/people/${id}`;
  const change = (ifMatch: string, body: object = { phone: "+49 30 1234567" }, more: Call = {}) =>
    school.owner.call("PATCH", path, { body, ...more, headers: { ...more.headers, "if-match": ifMatch } });
  const tag = async () => String(expectStatus(200, await school.owner.call("GET", path)).headers.get("etag"));
  return { school, path, change, tag };
}

const statusOf = async (answer: Promise<Answer>) => (await answer).status;

describe("If-Match", () => {
  test("the second of two desks gets 412 and the present tag, and loses nothing of the first's", async () => {
    const { school, path, change, tag } = await scene();
    const seen = await tag();
    expectStatus(200, await change(seen, { phone: "+49 30 1111111" }));
    const refused = expectStatus(412, await change(seen, { phone: "+49 30 2222222" }));
    expect(refused.headers.get("etag")).toBe(await tag());
    expect((await school.owner.call("GET", path)).body.data.phone).toBe("+49 30 1111111");
    expectStatus(200, await change(String(refused.headers.get("etag")), { phone: "+49 30 2222222" }));
  });

  test("of many desks at once, one changes", async () => {
    const { change, tag } = await scene();
    const seen = await tag();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => change(seen, { phone: `+49 30 ${at}00000` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
  });

  test("matches either form of the tag, in a list, or as an asterisk; a weak tag never", async () => {
    const { change, tag } = await scene();
    const bare = async () => (await tag()).slice(1, -1);
    for (const form of [
      (tag: string) => `"${tag}"`,
      (tag: string) => `"${tag}-gzip"`,
      (tag: string) => `"other", "${tag}"`,
      (tag: string) => ` ,"a,b" , W/"x","${tag}" ,`,
      () => "*",
      () => " * ",
    ])
      expect([form.toString(), await statusOf(change(form(await bare()), { city: crypto.randomUUID() }))]).toEqual([
        form.toString(),
        200,
      ]);
    const present = await bare();
    for (const header of [`W/"${present}"`, '"other"', `"${present}x"`, `"${present.toUpperCase()}x"`, '""', '"*"'])
      expect([header, await statusOf(change(header))]).toEqual([header, 412]);
  });

  test("is refused if it is no list of tags", async () => {
    const { change, tag } = await scene();
    const bare = (await tag()).slice(1, -1);
    for (const header of [bare, `"${bare}`, "", ",", `* , "${bare}"`, `"${bare}" "x"`, 'w/"x"'])
      expect([header, await statusOf(change(header))]).toEqual([header, 400]);
  });

  test("the compressed answer's tag is taken", async () => {
    const { school, change, path } = await scene();
    expectStatus(
      200,
      await school.owner.call("PATCH", path, {
        body: { ratings: Array.from({ length: 40 }, (_, at) => `A rating with a long name: ${at}`) },
      }),
    );
    const headers = { authorization: `Bearer ${school.owner.token}`, "accept-encoding": "gzip" };
    const answer = await school.installation.app.handle(new Request(`http://localhost${path}`, { headers }));
    const compressed = String(answer.headers.get("etag"));
    expect(compressed).toEndWith('-gzip"');
    expectStatus(200, await change(compressed));
  });

  test("does not go before 400, 403 and 404", async () => {
    const { school, path, change } = await scene();
    expect(await statusOf(change('"other"', { email: "no address" }))).toBe(400);
    const headers = { "if-match": '"other"' };
    const student = await school.join(["student"]);
    expect((await student.call("PATCH", path, { body: { city: "x" }, headers })).status).toBe(403);
    const nobody = path.replace(/[^/]+$/, "01890a5d-0000-7000-8000-000000000000");
    expect((await school.owner.call("PATCH", nobody, { body: { city: "x" }, headers })).status).toBe(404);
    expect(
      (await school.owner.call("PATCH", nobody, { body: { city: "x" }, headers: { "if-match": "*" } })).status,
    ).toBe(404);
  });

  test("an action compares the resource that it is below", async () => {
    const { school, flight, tag } = await flightScene();
    const act = (ifMatch: string, headers: Record<string, string> = {}) =>
      school.owner.call("POST", `${flight}/reject`, {
        body: { reason: "Landings are missing." },
        headers: { "if-match": ifMatch, ...headers },
      });
    expectStatus(412, await act('"other"'));
    const keyed = { "idempotency-key": "rejected-once" };
    const seen = await tag();
    expectStatus(200, await act(seen, keyed));
    // A repeat is no second write, though the resource has changed since: by the first.
    const repeated = expectStatus(200, await act(seen, keyed));
    expect(repeated.headers.get("idempotency-replayed")).toBe("true");
  });

  test("a refused request leaves its Idempotency-Key unused", async () => {
    const { school, flight, tag } = await flightScene();
    const act = (ifMatch: string) =>
      school.owner.call("POST", `${flight}/reject`, {
        body: { reason: "Landings are missing." },
        headers: { "if-match": ifMatch, "idempotency-key": "tried-twice" },
      });
    expectStatus(412, await act('"other"'));
    const done = expectStatus(200, await act(await tag()));
    expect(done.headers.has("idempotency-replayed")).toBe(false);
  });

  test("is refused, not ignored, where there is no tag to compare with", async () => {
    const { school } = await scene();
    const headers = { "if-match": '"3b1f8c40d29ae675"' };
    const body = { name: "Ada Nova", types: ["student"] };
    const refused = expectStatus(
      400,
      await school.owner.call("POST", `/orgs/${school.orgId}/people`, { body, headers }),
    );
    expect(refused.body.error.message).toContain("If-Match");
    const login = { email: "ada@example.com", password: "correct horse battery" };
    expectStatus(400, await school.installation.call("POST", "/auth/login", { body: login, headers }));
  });

  test("is no request of its own: it leaves one line in the log, and counts once", async () => {
    const { installation, owner, orgId } = await newOwnSchool();
    const change = async (headers: Record<string, string>) => {
      installation.logged.length = 0;
      const path = `/orgs/${orgId}/people/${owner.personId}`;
      const done = expectStatus(200, await owner.call("PATCH", path, { body: { city: crypto.randomUUID() }, headers }));
      const left = Number(/r=(\d+)/.exec(String(done.headers.get("ratelimit")))?.[1]);
      return { left, lines: installation.logged.length };
    };
    const without = await change({});
    expect(await change({ "if-match": "*" })).toEqual({ left: without.left - 1, lines: without.lines });
  });

  test("of a verb that finds nothing to write is compared, too", async () => {
    const { school } = await scene();
    const path = `/orgs/${school.orgId}/notification-preferences`;
    const { body, headers } = expectStatus(200, await school.owner.call("GET", path));
    const [kind] = Object.keys(body.data);
    const same = { [String(kind)]: body.data[String(kind)] };
    const ask = (ifMatch: string) => school.owner.call("PATCH", path, { body: same, headers: { "if-match": ifMatch } });
    expectStatus(412, await ask('"other"'));
    expectStatus(200, await ask(String(headers.get("etag"))));
  });
});

async function flightScene(): Promise<{ school: School; flight: string; tag(): Promise<string> }> {
  const school = await newSchool();
  const { id } = await school.submitFlight(school.student);
  const flight = `/orgs/${school.orgId}/flights/${id}`;
  return { school, flight, tag: async () => String((await school.owner.call("GET", flight)).headers.get("etag")) };
}
