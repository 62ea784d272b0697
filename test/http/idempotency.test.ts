/** A POST that is repeated with its `Idempotency-Key` is carried out once. */
import { describe, expect, test } from "bun:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { events } from "../../src/events/events.tables.ts";
import type { Security } from "../../src/http/route-security.ts";
import { recoveryCodes } from "../../src/modules/accounts/mfa/mfa.tables.ts";
import { usedKeys } from "../../src/storage/shared.tables.ts";
import { commits, snapshot } from "../support/databases.ts";
import { operationsOf, reasonsOf, resolve, type Schema } from "../support/document.ts";
import type { Answer } from "../support/installation.ts";
import { expectStatus, type Member, newOwnSchool, newSchool, type School, statuses, times } from "../support/school.ts";
import { authenticator, enroll } from "../support/second-factor.ts";
import { newStage, prepare } from "../support/stage.ts";

const hour = 3_600_000;

/** A POST under the member's organization, with a key. */
const post = (by: Member, path: string, key: string, body?: unknown): Promise<Answer> =>
  by.call("POST", `/orgs/${by.orgId}${path}`, { body, headers: { "idempotency-key": key } });

const flights = async ({ owner }: School): Promise<{ id: string }[]> => (await owner.get("/flights")).body.data;

const isReplay = ({ headers }: Answer) => headers.get("idempotency-replayed") === "true";

/** Returns the bodies of flights by their minutes, each always the same. */
function bodiesOf({ flightBody }: School) {
  const bodies = new Map<number, Record<string, unknown>>();
  return (blockMinutes: number) => {
    const body = bodies.get(blockMinutes) ?? flightBody({ blockMinutes });
    bodies.set(blockMinutes, body);
    return body;
  };
}

const outcome = ({ status, body }: Answer) => [status, body.error?.code];

describe("a repeat", () => {
  test("of a POST gets the same response, byte for byte, and changes nothing", async () => {
    const school = await newOwnSchool();
    const body = school.flightBody();
    const first = await post(school.student, "/flights", "draft-1", body);
    const before = await snapshot(school.installation.storage);
    const second = await post(school.student, "/flights", "draft-1", body);

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect(second.headers.get("content-type")).toBe(first.headers.get("content-type"));
    expect([isReplay(first), isReplay(second)]).toEqual([false, true]);
    expect(first.headers.get("x-request-id")).not.toBe(second.headers.get("x-request-id"));
    expect(await snapshot(school.installation.storage)).toEqual(before);
    expect(await flights(school)).toHaveLength(1);
  });

  test("without a key is a new request", async () => {
    const school = await newSchool();
    for (const _ of [1, 2]) expectStatus(201, await school.student.post("/flights", school.flightBody()));
    expect(await flights(school)).toHaveLength(2);
  });

  test("of a status change gets its response too, where the change itself would conflict", async () => {
    const school = await newSchool();
    const { id } = await school.draftFlight(school.student);
    const submit = (key: string) => post(school.student, `/flights/${id}/submit`, key);
    const answers = [await submit("once"), await submit("once"), await submit("again")];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 409]);
    expect(answers[1]?.text).toBe(answers[0]?.text);
    const tenant = school.installation.storage.tenants.tenant(school.student.orgId as never);
    expect(await tenant.read((reader) => reader.$count(events))).toBe(1);
  });

  test("may have another order of fields, and other white space", async () => {
    const school = await newSchool();
    const body = school.flightBody();
    const turned = JSON.stringify(Object.fromEntries(Object.entries(body).reverse()), null, 2);
    const first = expectStatus(201, await post(school.student, "/flights", "k", body));
    const second = expectStatus(201, await post(school.student, "/flights", "k", turned));
    expect(second.text).toBe(first.text);
  });

  test("may have the key with or without quotes, and up to 255 characters", async () => {
    const school = await newSchool();
    const body = school.flightBody();
    for (const [quoted, bare] of [
      ['"8e03978e-40d5-43dd-bc93-6894a57f9324"', "8e03978e-40d5-43dd-bc93-6894a57f9324"],
      [String.raw`"a\\b"`, String.raw`a\b`],
      [`"${"x".repeat(255)}"`, "x".repeat(255)],
    ] as const) {
      const first = expectStatus(201, await post(school.student, "/flights", quoted, body));
      expect(isReplay(first)).toBe(false);
      const second = await post(school.student, "/flights", bare, body);
      expect([second.text, isReplay(second)]).toEqual([first.text, true]);
    }
  });

  test("of a request that changes the control database works too", async () => {
    const { installation, owner } = await newSchool();
    const factor = await enroll(installation, owner);
    const request = { body: { code: await factor.code() }, headers: { "idempotency-key": "k" } };
    const [first, second] = [
      await owner.call("POST", "/auth/mfa/step", request),
      await owner.call("POST", "/auth/mfa/step", request),
    ];
    // The code itself is valid once.
    expect([first.status, second.status]).toEqual([200, 200]);
    expect([second.text, isReplay(second)]).toEqual([first.text, true]);
    expect((await owner.call("POST", "/auth/mfa/step", { body: request.body })).status).toBe(401);
  });

  test("is a new request 24 hours later", async () => {
    const school = await newOwnSchool();
    const body = { name: "Pat Person", types: ["pilot"] };
    // An access token is valid for 15 minutes.
    const later = async (milliseconds: number) => {
      school.installation.clock.advance(milliseconds);
      const login = { email: school.owner.email, password: "correct horse battery" };
      const { access_token: token } = expectStatus(
        200,
        await school.installation.call("POST", "/auth/login", { body: login }),
      ).body;
      return (key: string) =>
        school.installation.call("POST", `/orgs/${school.orgId}/people`, {
          token,
          body,
          headers: { "idempotency-key": key },
        });
    };
    const first = expectStatus(201, await post(school.owner, "/people", "k", body));
    const almost = await (await later(24 * hour - 1))("k");
    expect([almost.text, isReplay(almost)]).toEqual([first.text, true]);
    const ask = await later(1);
    const after = expectStatus(201, await ask("k"));
    expect([after.body.data.id === first.body.data.id, isReplay(after)]).toEqual([false, false]);
    // The key is valid for another 24 hours.
    expect((await ask("k")).text).toBe(after.text);
  });
});

describe("the same key counts as another one", () => {
  test("for another member, another organization, another route and another record", async () => {
    const school = await newSchool();
    const other = await newSchool(school.installation);
    const body = school.flightBody();
    const mine = await post(school.student, "/flights", "k", body);
    const theirs = await post(school.owner, "/flights", "k", body);
    const elsewhere = await post(other.student, "/flights", "k", other.flightBody());
    expect(statuses([mine, theirs, elsewhere])).toEqual([201, 201, 201]);
    const ids = [mine, theirs].map((answer) => answer.body.data.id);
    const { off_block_at, on_block_at } = school.flightBody();
    expectStatus(200, await school.owner.patch(`/flights/${ids[1]}`, { off_block_at, on_block_at }));
    for (const id of ids) {
      const { data } = expectStatus(200, await post(school.owner, `/flights/${id}/submit`, "k")).body;
      expect([data.id, data.status]).toEqual([id, "submitted"]);
    }
    expect([...new Set(ids)]).toHaveLength(2);
    expect(await flights(school)).toHaveLength(2);
    expect(await flights(other)).toHaveLength(1);
  });

  test("for one member in two organizations", async () => {
    const school = await newSchool();
    const other = await newSchool(school.installation);
    const { owner, installation } = school;
    const invite = expectStatus(201, await other.owner.post("/invites", { email: owner.email, roles: ["admin"] }));
    const claim = { token: owner.token, body: { token: invite.body.data.token } };
    expectStatus(200, await installation.call("POST", "/auth/org-invites/claim", claim));
    const person = { name: "Pat Person", types: ["pilot"] };
    const create = (orgId: string) =>
      owner.call("POST", `/orgs/${orgId}/people`, { body: person, headers: { "idempotency-key": "k" } });
    const [one, two] = [await create(school.orgId), await create(other.orgId)];
    expect([one.status, two.status, isReplay(two)]).toEqual([201, 201, false]);
  });
});

describe("is refused", () => {
  test("a key that was used with another body: 422, and nothing is done", async () => {
    const school = await newOwnSchool();
    expectStatus(201, await post(school.student, "/flights", "k", school.flightBody()));
    const before = await snapshot(school.installation.storage);
    const other = await post(school.student, "/flights", "k", school.flightBody({ blockMinutes: 63 }));
    expect(outcome(other)).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    expect(await snapshot(school.installation.storage)).toEqual(before);
  });

  test("a key that was used without a query: 422 with one, and a refused query does not use the key", async () => {
    const school = await newSchool();
    const body = school.flightBody();
    const draft = (query: string) => post(school.student, `/flights${query}`, "k", body);
    expectStatus(400, await draft("?note=a"));
    expectStatus(201, await draft(""));
    expect(outcome(await draft("?note=b"))).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    expect(await flights(school)).toHaveLength(1);
    expect(isReplay(await draft(""))).toBe(true);
  });

  test.each([
    ["nothing", ""],
    ["nothing in quotes", '""'],
    ["a space in it", "two words"],
    ["a space in its quotes", '"two words"'],
    ["an open quote", '"k'],
    ["a quote within", 'a"b'],
    ["an escape of nothing", String.raw`"a\b"`],
    ["a parameter", '"k";a=1'],
    ["two keys", '"a", "b"'],
    ["what is not ASCII", "caf\u00e9"],
    ["256 characters", "x".repeat(256)],
    ["256 characters in quotes", `"${"x".repeat(256)}"`],
  ])("an invalid key: %s", async (_, key) => {
    const school = await newSchool();
    expect(outcome(await post(school.student, "/flights", key, school.flightBody()))).toEqual([400, "BAD_REQUEST"]);
    expect(await flights(school)).toEqual([]);
  });

  test("a caller without access, before the key is read", async () => {
    const school = await newSchool();
    const [former, stranger] = [await school.join(["instructor"]), await newSchool(school.installation)];
    const body = school.flightBody();
    expectStatus(201, await post(former, "/flights", "k", body));
    expectStatus(200, await school.owner.delete(`/members/${former.userId}`));
    expect((await post(former, "/flights", "k", body)).status).toBe(404);
    const headers = { "idempotency-key": "two words" };
    const path = `/orgs/${school.orgId}/flights`;
    expect((await school.installation.call("POST", path, { body, headers })).status).toBe(401);
    expect((await stranger.owner.call("POST", path, { body, headers })).status).toBe(404);
  });
});

describe("a stored response", () => {
  test("is refused once the caller has lost a permission that the request used", async () => {
    const school = await newSchool();
    const manager = await school.join(["admin", "instructor"]);
    const body = { registration: "D-EXYZ", model: "Ka 8", class: "SEP" };
    const add = () => post(manager, "/aircraft", "k", body);
    const first = expectStatus(201, await add());
    const hold = async (...roles: string[]) =>
      expectStatus(200, await school.owner.patch(`/members/${manager.userId}`, { roles }));

    await hold("instructor");
    const refused = expectStatus(403, await add());
    expect(refused.body.error.reason).toBe("permission_missing");
    expect(isReplay(refused)).toBe(false);

    await hold("admin");
    const again = await add();
    expect([again.text, isReplay(again)]).toEqual([first.text, true]);
  });

  test("is shown after another permission was lost", async () => {
    const school = await newSchool();
    const manager = await school.join(["admin", "instructor"]);
    const body = school.flightBody();
    const draft = () => post(manager, "/flights", "k", body);
    const first = expectStatus(201, await draft());
    expectStatus(200, await school.owner.patch(`/members/${manager.userId}`, { roles: ["instructor"] }));
    const again = await draft();
    expect([again.text, isReplay(again)]).toEqual([first.text, true]);
  });
});

describe("a request that is refused releases its key", () => {
  test("when it is not valid, or the verb refuses it", async () => {
    const school = await newSchool();
    const { id } = await school.submitFlight(school.student);
    const approve = (by: Member) => post(by, `/flights/${id}/approve`, "k");
    // A pilot can't approve their own flight, and a student none.
    expect((await approve(school.student)).status).toBe(403);
    expect((await approve(school.instructor)).status).toBe(200);
    expect((await post(school.student, "/flights", "k", { nothing: true })).status).toBe(400);
    expect((await post(school.student, "/flights", "k", school.flightBody())).status).toBe(201);

    const registration = { registration: "D-EXYZ", model: "Ka 8", class: "SEP" };
    expect((await post(school.owner, "/aircraft", "k", { ...registration, registration: "D-EABC" })).status).toBe(409);
    expect((await post(school.owner, "/aircraft", "k", registration)).status).toBe(201);
  });

  test("when the verb wrote something before the refusal", async () => {
    const { installation, owner } = await newOwnSchool();
    const factor = await enroll(installation, owner);
    const step = (code: string) =>
      owner.call("POST", "/auth/mfa/step", { body: { code }, headers: { "idempotency-key": "k" } });
    expect((await step(await factor.wrongCode())).status).toBe(401);
    expect((await step(await factor.code())).status).toBe(200);
    expect(await installation.storage.control.read((reader) => reader.$count(usedKeys))).toBe(1);
  });

  test("when the database fails", async () => {
    const school = await newOwnSchool();
    const { control } = school.installation.storage;
    const { write } = control;
    const factor = await enroll(school.installation, school.owner);
    const request = { body: { code: await factor.code() }, headers: { "idempotency-key": "k" } };
    Object.assign(control, { write: () => Promise.reject(new Error("the disk is gone")) });
    expect((await school.owner.call("POST", "/auth/mfa/step", request)).status).toBe(500);
    Object.assign(control, { write });
    expect((await school.owner.call("POST", "/auth/mfa/step", request)).status).toBe(200);
  });
});

describe("concurrently", () => {
  test("20 requests with one key make one flight; the others get its response or 409", async () => {
    const school = await newSchool();
    const body = school.flightBody();
    const answers = await Promise.all(times(20, () => post(school.student, "/flights", "k", body)));
    const first = answers.filter((answer) => answer.status === 201 && !isReplay(answer));
    expect(first).toHaveLength(1);
    for (const answer of answers)
      if (answer.status === 201) expect(answer.text).toBe(String(first[0]?.text));
      else expect(outcome(answer)).toEqual([409, "CONFLICT"]);
    expect(await flights(school)).toHaveLength(1);
    expect((await post(school.student, "/flights", "k", body)).text).toBe(String(first[0]?.text));
  });

  test("while the first is in progress: 409 for the same body, 422 for another, and afterwards the response", async () => {
    const { installation, owner } = await newOwnSchool();
    const factor = await enroll(installation, owner);
    const { control } = installation.storage;
    const { write } = control;
    const held = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    Object.assign(control, {
      write: async (body: never) => {
        entered.resolve();
        await held.promise;
        return write.call(control, body);
      },
    });
    const step = (code: string) =>
      owner.call("POST", "/auth/mfa/step", { body: { code }, headers: { "idempotency-key": "k" } });
    const code = await factor.code();
    const first = step(code);
    await entered.promise;
    expect(outcome(await step(code))).toEqual([409, "CONFLICT"]);
    expect(outcome(await step("123456"))).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    Object.assign(control, { write });
    held.resolve();
    expect((await first).status).toBe(200);
    expect(isReplay(await step(code))).toBe(true);
  });

  test("a key that another node has recorded: 409, and the request is not carried out again", async () => {
    const school = await newOwnSchool();
    const { storage } = school.installation;
    const body = school.flightBody();
    // Another node commits this between this node's lookup and its write.
    const tenantOf = storage.tenants.tenant.bind(storage.tenants);
    const first = expectStatus(201, await post(school.student, "/flights", "k", body));
    const row = await tenantOf(school.orgId as never).read((reader) => reader.select().from(usedKeys));
    await tenantOf(school.orgId as never).write((tx) => tx.delete(usedKeys));
    const { read } = storage.control;
    let looked = false;
    Object.assign(storage.control, {
      // The lookup of a key reads the control database last.
      read: async (query: never) => {
        const found = await read.call(storage.control, query);
        if (String(query).includes("byId") && !looked) {
          looked = true;
          await tenantOf(school.orgId as never).write((tx) => tx.insert(usedKeys).values(row));
        }
        return found;
      },
    });
    const second = await post(school.student, "/flights", "k", body);
    Object.assign(storage.control, { read });
    expect([looked, ...outcome(second)]).toEqual([true, 409, "CONFLICT"]);
    expect(await flights(school)).toEqual([expect.objectContaining({ id: first.body.data.id })]);
    expect((await post(school.student, "/flights", "k", body)).text).toBe(first.text);
  });

  test("the key belongs to the request that was carried out, not to a concurrent one", async () => {
    const school = await newSchool();
    const bodyOf = bodiesOf(school);
    const send = (minutes: number) => post(school.student, "/flights", "k", bodyOf(minutes));
    expectStatus(201, await send(61));
    const [other, again, first] = await Promise.all([send(62), send(62), send(61)]);
    expect(outcome(other)).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    expect(outcome(again)).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    expect([201, 409]).toContain(first.status);
  });

  test("any interleaving of repeats carries out one request for each key, and gives each the same response", async () => {
    const school = await newSchool();
    const bodyOf = bodiesOf(school);
    let round = 0;
    const request = fc.record({
      key: fc.constantFrom("a", "b", "c"),
      minutes: fc.constantFrom(61, 62),
      waits: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 12 }), async (requests) => {
        round += 1;
        const before = (await flights(school)).length;
        const sent: { key: string; minutes: number; answer: Promise<Answer> }[] = [];
        for (const { key, minutes, waits } of requests) {
          const answer = post(school.student, "/flights", `${round}-${key}`, bodyOf(minutes));
          sent.push({ key, minutes, answer });
          if (waits) await answer;
        }
        const used = new Set(sent.map(({ key }) => key));
        for (const key of used) {
          const mine = sent.filter((one) => one.key === key);
          const answers = await Promise.all(mine.map(async ({ minutes, answer }) => ({ minutes, ...(await answer) })));
          const done = answers.filter(({ status }) => status === 201);
          expect(new Set(done.map(({ text }) => text)).size).toBe(1);
          expect(new Set(done.map(({ minutes }) => minutes)).size).toBe(1);
          for (const { status, minutes } of answers)
            expect(minutes === done[0]?.minutes ? [201, 409] : [422]).toContain(status);
        }
        expect((await flights(school)).length - before).toBe(used.size);
      }),
      { numRuns: 30 },
    );
  }, 300_000);
});

describe("a response that has a secret", () => {
  test("is not stored: a repeat gets 409, makes nothing, and no file has the secret", async () => {
    const school = await newOwnSchool();
    const { installation, owner } = school;
    const keyBody = { name: "Export", scopes: ["public.flights:read"] };
    const made = expectStatus(201, await post(owner, "/integrations/api-keys", "k", keyBody));
    const again = await post(owner, "/integrations/api-keys", "k", keyBody);
    expect(outcome(again)).toEqual([409, "CONFLICT"]);
    expect(again.body.error.message).toContain("secret");
    expect((await owner.get("/integrations/api-keys")).body.data).toHaveLength(1);
    expect(outcome(await post(owner, "/integrations/api-keys", "k", { ...keyBody, name: "Other" }))).toEqual([
      422,
      "IDEMPOTENCY_KEY_REUSED",
    ]);

    const invite = expectStatus(
      201,
      await post(owner, "/invites", "k", { email: "i@example.com", roles: ["student"] }),
    );
    const started = await owner.call("POST", "/auth/mfa/enroll/start", { headers: { "idempotency-key": "s" } });
    const { secret } = expectStatus(200, started).body.data;
    const code = {
      body: { code: await authenticator(installation, secret).code() },
      headers: { "idempotency-key": "v" },
    };
    const confirmed = expectStatus(200, await owner.call("POST", "/auth/mfa/enroll/verify", code)).body.data;
    expect((await owner.call("POST", "/auth/mfa/enroll/verify", code)).status).toBe(409);
    expect(await installation.storage.control.read((reader) => reader.$count(recoveryCodes))).toBe(10);

    const stored = JSON.stringify([...(await snapshot(installation.storage)).values()]);
    for (const shown of [made.body.data.token, invite.body.data.token, secret, ...confirmed.recovery_codes])
      expect(stored.includes(shown)).toBe(false);
  });

  /** A file, of which the document names no fields. */
  const wholeSchool = "POST /orgs/{orgId}/export";

  test("is marked on every route that takes a key", async () => {
    const stage = await newStage();
    try {
      const unmarked: string[] = [];
      const marked: string[] = [];
      for (const [name, operation] of operationsOf(stage.document)) {
        if (!operation.parameters?.some((parameter) => parameter.name === "Idempotency-Key")) continue;
        const isMarked = reasonsOf(operation, 409).includes("answer_shown_once");
        const isSecret =
          name === wholeSchool ||
          Object.entries(operation.responses).some(
            ([status, { content }]) =>
              Number(status) < 300 &&
              fieldsOf(stage.document, content?.["application/json"]?.schema ?? {}).some(
                // Lessons and grades have codes, and so have the reasons why no VAT is charged.
                (field) =>
                  SECRET.test(field) &&
                  field !== "vat_reason_code" &&
                  !(field === "code" && name.includes("/training/")),
              ),
          );
        if (isSecret !== isMarked) unmarked.push(name);
        if (isSecret) marked.push(name);
      }
      expect(unmarked).toEqual([]);
      expect(marked.length).toBeGreaterThanOrEqual(8);
    } finally {
      await stage.installation.close();
    }
  });
});

/** Fields that have a secret, unlike fields about one (`secret_expires_at`). */
const SECRET = /(^|_)(token|secret|password|codes|code|uri|svg|url_token)$/;

type Document = Parameters<typeof resolve>[0];
function fieldsOf(document: Document, declared: Schema): string[] {
  const schema = resolve(document, declared);
  // The faults of an import have codes, which are no secrets.
  const { issues: _, ...properties } = schema.properties ?? {};
  const inner = [
    ...Object.values(properties),
    ...(schema.items ? [schema.items] : []),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
  ];
  return [...Object.keys(schema.properties ?? {}), ...inner.flatMap((one) => fieldsOf(document, one))];
}

test("every POST of a session route and of the public API takes a key, and is carried out once for each key", async () => {
  const stage = await newStage();
  const { school, installation, routes } = stage;
  try {
    const wrong: string[] = [];
    for (const route of routes.filter(({ method }) => method === "POST")) {
      const takesKey = route.operation?.parameters?.some(({ name }) => name === "Idempotency-Key") ?? false;
      if (takesKey === (route.security === "open" || route.security === "optional")) wrong.push(route.name);
      if (!takesKey) continue;
      const { path: plain, query, caller, ...sent } = await prepare(route, school);
      const path = query === undefined ? plain : `${plain}?${query}`;
      const token = caller ?? (await tokenFor(school, route.security));
      const org = typeof route.security === "object" ? { org: school.orgId } : {};
      const request = { ...sent, ...org, token, headers: { "idempotency-key": "sweep" } };
      const first = await installation.call("POST", path, request);
      // The parts of an upload are stored before its key is looked at, and deleted again: its rows must be the same.
      const seen = () => (path.includes("/attachments") ? snapshot : commits)(installation.storage);
      const before = await seen();
      const second = await installation.call("POST", path, request);
      if (first.status >= 300) wrong.push(`${route.name} answers ${first.status}`);
      // A response with a secret gets 409; any other is repeated.
      const isSame = second.text === first.text && isReplay(second);
      // What is only tried is rolled back with its key, and tried again.
      const isTried = route.name.endsWith("/dry-run") && second.status === first.status;
      if (second.status !== 409 && !isSame && !isTried) wrong.push(`${route.name} again`);
      if (!isDeepStrictEqual(await seen(), before)) wrong.push(`${route.name} twice`);
    }
    expect(wrong).toEqual([]);
  } finally {
    await installation.close();
  }
}, 300_000);

async function tokenFor(school: School, security: Security): Promise<string> {
  if (typeof security === "object") return school.apiKey(security.scope);
  return security === "user" ? (await school.join(["student"])).token : school.owner.token;
}

test("routes that take no key ignore the header", async () => {
  const school = await newSchool();
  const headers = { "idempotency-key": "two words" };
  const body = { email: school.owner.email, password: "correct horse battery" };
  expect((await school.installation.call("POST", "/auth/login", { body, headers })).status).toBe(200);
  expect((await school.owner.call("GET", `/orgs/${school.orgId}/flights`, { headers })).status).toBe(200);
  const patch = { body: { name: "Renamed" }, headers };
  expect((await school.owner.call("PATCH", `/orgs/${school.orgId}`, patch)).status).toBe(200);
});
