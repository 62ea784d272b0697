/** Every implemented limit of the contract and the design, reached by requests and a moved clock. */
import { expect, test } from "bun:test";
import { loadConfig } from "../../src/config.ts";
import { type Answer, type Installation, newInstallation } from "../support/installation.ts";
import { expectStatus, type Member, newOwnSchool, newSchool, password, statuses, times } from "../support/school.ts";
import { challenged, enroll, step, verify } from "../support/second-factor.ts";
import { lifetimes, maxBodyBytes, mfaChallengeTries, rates } from "./facts.ts";

const second = 1000;

interface Rate {
  count: number;
  seconds: number;
  policy: string;
}

/**
 * Checks a rate. The allowed requests return the number that remains. The next request gets 429 and the time to wait. A
 * request one second before that time gets 429, and a request after that time is allowed.
 */
async function holdsTo(
  { count, seconds, policy }: Rate,
  { clock }: Installation,
  attempt: () => Promise<Answer>,
): Promise<void> {
  const wait = seconds / count;
  const answers = [];
  for (const _ of times(count, () => 0)) answers.push(await attempt());
  expect(answers.filter(({ status }) => status === 429)).toEqual([]);
  /** Returns the item of this policy in a header, which may have several items. */
  const told = ({ headers }: Answer, name: string) =>
    headers
      .get(name)
      ?.split(", ")
      .find((item) => item.startsWith(`"${policy}";`));
  for (const answer of answers) expect(told(answer, "ratelimit-policy")).toBe(`"${policy}";q=${count};w=${seconds}`);
  expect(answers.map((answer) => told(answer, "ratelimit"))).toEqual(
    times(count, (made) => {
      const left = count - 1 - made;
      return `"${policy}";r=${left};t=${Math.ceil(left > 0 ? (made + 1) * wait : wait)}`;
    }),
  );

  const refused = expectStatus(429, await attempt());
  expect(refused.body.error.code).toBe("RATE_LIMITED");
  expect(refused.headers.get("retry-after")).toBe(String(Math.ceil(wait)));
  expect(told(refused, "ratelimit")).toBe(`"${policy}";r=0;t=${Math.ceil(wait)}`);
  clock.advance((Math.ceil(wait) - 1) * second);
  if (Math.ceil(wait) > 1) expectStatus(429, await attempt());
  clock.advance(second);
  expect((await attempt()).status).not.toBe(429);
}

const guess = (installation: Installation, email: string, from: string) =>
  installation.call("POST", "/auth/login", { body: { email, password: "a wrong password" }, from });

test("logins are limited by client address and e-mail address, so that a guesser does not lock out the owner", async () => {
  const { installation, owner } = await newOwnSchool();
  await holdsTo(rates["login, by address and e-mail"], installation, () =>
    guess(installation, owner.email, "198.51.100.1"),
  );
  const elsewhere = { body: { email: owner.email, password }, from: "198.51.100.2" };
  expectStatus(200, await installation.call("POST", "/auth/login", elsewhere));
  expectStatus(401, await guess(installation, "somebody@else.example", "198.51.100.1"));
});

test("logins are limited by client address, for any e-mail address", async () => {
  const installation = await newInstallation();
  const { count } = rates["login, by address"];
  for (const at of times(count, (index) => index))
    expectStatus(401, await guess(installation, `nobody${at}@school.example`, "198.51.100.1"));
  const refused = expectStatus(429, await guess(installation, "fresh@school.example", "198.51.100.1"));
  expect(refused.headers.get("ratelimit-policy")).toContain(`"login-address";q=${count};w=900`);
  expect(refused.headers.get("retry-after")).toBe("9");
  expectStatus(401, await guess(installation, "fresh@school.example", "198.51.100.2"));
});

test("sign-ups are limited by client address", async () => {
  const { installation, owner } = await newOwnSchool();
  const organization = { name: "Again", kind: "dto" };
  const body = { email: owner.email, password, name: "Olga Owner", organization };
  await holdsTo(rates["signup, by address"], installation, () =>
    installation.call("POST", "/auth/signup-org", { body, from: "198.51.100.1" }),
  );
});

test("refreshes are limited by session", async () => {
  const { installation, owner, student } = await newOwnSchool();
  let token = owner.refreshToken;
  await holdsTo(rates["refresh, by session"], installation, async () => {
    const answer = await installation.call("POST", "/auth/refresh", { body: { refresh_token: token } });
    token = answer.body.refresh_token ?? token;
    return answer;
  });
  const other = { body: { refresh_token: student.refreshToken } };
  expectStatus(200, await installation.call("POST", "/auth/refresh", other));
});

test("codes of a second factor are limited by account", async () => {
  const { installation, owner, student } = await newOwnSchool();
  const wrong = await (await enroll(installation, owner)).wrongCode();
  await holdsTo(rates["second factor, by account"], installation, () => step(installation, owner, wrong));
  const other = await enroll(installation, student);
  expectStatus(200, await step(installation, student, await other.code()));
});

test("a challenge accepts five wrong codes and expires after five minutes", async () => {
  const { installation, owner } = await newOwnSchool();
  const factor = await enroll(installation, owner);
  const tried = await challenged(installation, owner.email);
  const [kept, late] = [await challenged(installation, owner.email), await challenged(installation, owner.email)];
  const wrong = await factor.wrongCode();
  for (const _ of times(mfaChallengeTries, () => 0)) expectStatus(401, await verify(installation, tried, wrong));
  expectStatus(429, await verify(installation, tried, await factor.code()));

  installation.clock.advance((lifetimes.mfaChallengeSeconds - 1) * second);
  expectStatus(200, await verify(installation, kept, await factor.code()));
  installation.clock.advance(second);
  expectStatus(401, await verify(installation, late, await factor.code(1)));
});

test("a step-up is valid for ten minutes", async () => {
  const { installation, owner } = await newOwnSchool();
  const factor = await enroll(installation, owner);
  expectStatus(200, await step(installation, owner, await factor.code()));
  const create = () => owner.post("/integrations/api-keys", { name: "Test", scopes: ["public.flights:read"] });
  installation.clock.advance((lifetimes.stepUpSeconds - 1) * second);
  expectStatus(201, await create());
  installation.clock.advance(second);
  expectStatus(403, await create());
});

test("an API key has its own limit, independent of other keys of its organization", async () => {
  const school = await newOwnSchool();
  const { apiKeyRate } = school.installation.config;
  const { count, seconds, policy } = rates["API key"];
  expect(apiKeyRate).toBe(count);

  const few = await newOwnSchool({ env: { WINDSOCK_API_KEY_RATE: "6" } });
  const [first, second] = [await few.apiKey("public.flights:read"), await few.apiKey("public.flights:read")];
  await holdsTo({ count: 6, seconds, policy }, few.installation, () => few.publicGet("/flights", first));
  expectStatus(200, await few.publicGet("/flights", second));
});

test("writes are limited by account, and by organization at five times as many; reading is not", async () => {
  const { seconds } = rates["writes, by account"];
  expect(loadConfig({}).writeRate).toBe(rates["writes, by account"].count);
  const school = await newSchool(await newInstallation({ env: { WINDSOCK_WRITE_RATE: "20" } }));
  school.installation.clock.advance(seconds * second);
  const { student, instructor, owner } = school;
  const draft = (by: Member) => by.post("/flights", { nothing: true });
  await holdsTo({ ...rates["writes, by account"], count: 20 }, school.installation, () => draft(student));
  expectStatus(200, await student.get("/flights"));
  expectStatus(400, await draft(instructor));

  const late = await school.join(["student"]);
  const others = [instructor, await school.join(["student"]), await school.join(["student"])];
  school.installation.clock.advance(seconds * second);
  const full = await Promise.all([student, owner, ...others].flatMap((by) => times(20, () => draft(by))));
  expect(new Set(statuses(full))).toEqual(new Set([400]));
  const sixth = await school.installation.call("POST", "/auth/login", { body: { email: late.email, password } });
  const refused = await school.installation.call("POST", `/orgs/${school.orgId}/flights`, {
    token: sixth.body.access_token,
    body: {},
  });
  expectStatus(429, refused);
  expect(refused.headers.get("ratelimit")).toBe('"writes";r=19;t=3, "organization-writes";r=0;t=1');
});

test("invites are limited by organization, and a member who may not invite does not use them up", async () => {
  const school = await newOwnSchool();
  school.installation.clock.advance(3600 * second);
  const login = async () => {
    const body = { email: school.owner.email, password };
    return expectStatus(200, await school.installation.call("POST", "/auth/login", { body })).body.access_token;
  };
  const token = await login();
  const sent: string[] = [];
  const invite = () => {
    const email = `member-${sent.length}@example.com`;
    sent.push(email);
    const body = { email, roles: ["student"] };
    return school.installation.call("POST", `/orgs/${school.orgId}/invites`, { token, body });
  };
  const student = await school.installation.call("POST", "/auth/login", {
    body: { email: school.student.email, password },
  });
  for (const _ of times(3, () => 0))
    expectStatus(
      403,
      await school.installation.call("POST", `/orgs/${school.orgId}/invites`, {
        token: student.body.access_token,
        body: { email: "friend@example.com", roles: ["student"] },
      }),
    );
  await holdsTo(rates["invites, by organization"], school.installation, invite);
});

test("claims are limited by client address", async () => {
  const installation = await newInstallation();
  const claim = (from: string, path = "org") =>
    installation.call("POST", `/auth/${path}-invites/claim`, { body: { token: "A".repeat(43), password }, from });
  await holdsTo(rates["claims, by address"], installation, () => claim("198.51.100.1"));
  // Both kinds of invite have one limit.
  expectStatus(429, await claim("198.51.100.1", "student"));
  expectStatus(404, await claim("198.51.100.2"));
});

test("hand-off tokens are limited by account", async () => {
  const { installation, owner, student } = await newOwnSchool();
  const issue = (by: Member) => by.call("POST", "/auth/establish-token", { body: {} });
  await holdsTo(rates["hand-off tokens, by account"], installation, () => issue(owner));
  expectStatus(200, await issue(student));
});

test("a body may have exactly 64 KiB", async () => {
  const { owner } = await newOwnSchool();
  const ofSize = (bytes: number) => `{"name":"${"x".repeat(bytes - 11)}"}`;
  const patch = (bytes: number) => owner.call("PATCH", `/orgs/${owner.orgId}`, { body: ofSize(bytes) });
  expect(Buffer.byteLength(ofSize(maxBodyBytes))).toBe(maxBodyBytes);
  expectStatus(400, await patch(maxBodyBytes));
  expectStatus(413, await patch(maxBodyBytes + 1));
});

test("an access token is valid for 15 minutes, and a session for 30 idle days and 90 in all", async () => {
  const { installation, owner } = await newOwnSchool();
  const { clock } = installation;
  const logIn = async () =>
    expectStatus(200, await installation.call("POST", "/auth/login", { body: { email: owner.email, password } })).body;
  const refresh = (token: string) => installation.call("POST", "/auth/refresh", { body: { refresh_token: token } });

  const pair = await logIn();
  expect(pair).toMatchObject({
    expires_in: lifetimes.accessTokenSeconds,
    refresh_expires_in: lifetimes.sessionIdleSeconds,
  });
  const look = () => installation.call("GET", `/orgs/${owner.orgId}`, { token: pair.access_token });
  clock.advance((lifetimes.accessTokenSeconds - 1) * second);
  expectStatus(200, await look());
  clock.advance(second);
  expectStatus(401, await look());

  const idle = await logIn();
  clock.advance(lifetimes.sessionIdleSeconds * second);
  expectStatus(401, await refresh(idle.refresh_token));

  let kept = await logIn();
  const month = lifetimes.sessionIdleSeconds * second;
  for (const pause of [month - second, month - second, month - second]) {
    clock.advance(pause);
    kept = expectStatus(200, await refresh(kept.refresh_token)).body;
  }
  expect(kept.refresh_expires_in).toBe(3);
  clock.advance(3 * second);
  expectStatus(401, await refresh(kept.refresh_token));
});

test("an invite is valid for seven days", async () => {
  const { installation, owner } = await newOwnSchool();
  const invite = async (path: string, body: object) => expectStatus(201, await owner.post(path, body)).body.data;
  const email = "i@school.example";
  const student = await invite("/people", { name: "Ida", types: ["student"], email });
  const paths = [
    `/auth/org-invites/${(await invite("/invites", { email, roles: ["student"] })).token}`,
    `/auth/student-invites/${(await invite("/student-invites", { person_id: student.id })).token}`,
  ];
  installation.clock.advance((lifetimes.inviteSeconds - 1) * second);
  for (const path of paths) expectStatus(200, await installation.call("GET", path));
  installation.clock.advance(second);
  for (const path of paths) expectStatus(410, await installation.call("GET", path));
});

test("a handoff token is valid for 60 seconds", async () => {
  const { installation, owner } = await newOwnSchool();
  const issue = async () => expectStatus(200, await owner.call("POST", "/auth/establish-token")).body;
  const exchange = (token: string) => installation.call("POST", "/auth/establish-exchange", { body: { token } });
  const [first, late] = [await issue(), await issue()];
  expect(first.expires_in).toBe(lifetimes.handoffSeconds);
  installation.clock.advance((lifetimes.handoffSeconds - 1) * second);
  expectStatus(200, await exchange(first.token));
  installation.clock.advance(second);
  expectStatus(401, await exchange(late.token));
});
