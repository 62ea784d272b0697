/** All requests share one queue of hashes, so the holder of one token must not fill it. */
import { expect, test } from "bun:test";
import { type Answer, type Installation, newInstallation } from "../../support/installation.ts";
import { tokenIn } from "../../support/mails.ts";
import { expectStatus, password, statuses, times } from "../../support/school.ts";
import { claim, freshAddress, invite, signUp, signUpAlone } from "./newcomers.ts";

const MANY = 130;

/** An installation that counts hashes and verifications. */
async function counting() {
  const hashed: string[] = [];
  let others: Promise<void> | undefined;
  const at = await newInstallation({
    watchPasswords: (passwords) => ({
      ...passwords,
      async hash(plain) {
        hashed.push(plain);
        await others;
        return passwords.hash(plain);
      },
      async verify(known, plain) {
        hashed.push(plain);
        await others;
        return passwords.verify(known, plain);
      },
    }),
  });
  /** Sends requests, of which those that are carried out stay in progress until all others are answered. */
  const atOnce = (asks: readonly (() => Promise<Answer>)[], carriedOut = 1): Promise<Answer[]> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    others = promise;
    let left = asks.length - carriedOut;
    return Promise.all(
      asks.map(async (ask) => {
        const answer = await ask();
        left -= 1;
        if (left === 0) resolve();
        return answer;
      }),
    );
  };
  return { at, hashed, atOnce, manyAtOnce: (ask: () => Promise<Answer>) => atOnce(times(MANY, () => ask)) };
}

const onlyOne = [200, ...times(MANY - 1, () => 409)];

test(`of ${MANY} concurrent claims of one invite, only one computes a hash`, async () => {
  const { at, hashed, manyAtOnce } = await counting();
  const token = await invite(at, await signUp(at), "ines@example.com", ["student"]);
  hashed.length = 0;
  const answers = await manyAtOnce(() => claim(at, token));
  expect(statuses(answers)).toEqual(onlyOne);
  expect(hashed).toHaveLength(1);
  expect(answers.find(({ status }) => status === 409)?.body.error.reason).toBe("request_in_progress");
});

test(`of ${MANY} concurrent claims of one student invite, only one computes a hash`, async () => {
  const { at, hashed, manyAtOnce } = await counting();
  const { token, orgId } = await signUp(at);
  const post = async (path: string, body: object) =>
    expectStatus(201, await at.call("POST", `/orgs/${orgId}${path}`, { token, body })).body.data;
  const person = await post("/people", { name: "Anna", types: ["student"], email: "anna@example.com" });
  const invited = await post("/student-invites", { person_id: person.id });
  hashed.length = 0;
  const body = { token: invited.token, password };
  const answers = await manyAtOnce(() =>
    at.call("POST", "/auth/student-invites/claim", { body, from: freshAddress() }),
  );
  expect(statuses(answers)).toEqual(onlyOne);
  expect(hashed).toHaveLength(1);
});

test(`of ${MANY} concurrent resets with one token, only one computes a hash`, async () => {
  const { at, hashed, manyAtOnce } = await counting();
  const { email } = await signUpAlone(at);
  expectStatus(200, await at.call("POST", "/auth/password/forgot", { body: { email }, from: freshAddress() }));
  hashed.length = 0;
  const body = { token: tokenIn(at.mails, email, "reset"), password: "another horse battery" };
  const answers = await manyAtOnce(() => at.call("POST", "/auth/password/reset", { body }));
  expect(statuses(answers)).toEqual(onlyOne);
  expect(hashed).toHaveLength(1);
});

test(`of ${MANY} concurrent verifications with one token, only one computes a hash`, async () => {
  const { at, hashed, manyAtOnce } = await counting();
  const { email } = await signUpAlone(at);
  hashed.length = 0;
  const body = { token: tokenIn(at.mails, email, "verify"), password };
  const answers = await manyAtOnce(() => at.call("POST", "/auth/email/verify", { body, from: freshAddress() }));
  expect(statuses(answers)).toEqual(onlyOne);
  expect(hashed).toHaveLength(1);
});

test("of concurrent changes of one password, only one computes hashes; other accounts are not affected", async () => {
  const { at, hashed, atOnce } = await counting();
  const [ada, ben] = [await signUpAlone(at), await signUpAlone(at, "ben@example.com")];
  hashed.length = 0;
  const body = { current_password: password, new_password: "another horse battery" };
  const put = (token: string) => at.call("POST", "/auth/password", { token, body });
  const answers = await atOnce([...times(9, () => () => put(ada.token)), () => put(ben.token)], 2);
  expect(statuses(answers)).toEqual([200, 200, ...times(8, () => 409)]);
  // The current password and the new one.
  expect(hashed).toHaveLength(4);
});

test("a token works again after a rejected request", async () => {
  const { at } = await counting();
  const token = await invite(at, await signUp(at), "ines@example.com", ["student"]);
  expect((await claim(at, token, { password: "short" })).status).toBe(400);
  expect((await claim(at, token, {})).status).toBe(400);
  expectStatus(200, await claim(at, token));
});

test("an unknown token opens no write transaction", async () => {
  const { at } = await counting();
  const { control } = at.storage;
  const write = control.write;
  let writes = 0;
  const watched: Installation["storage"]["control"] = control;
  watched.write = (body) => {
    writes += 1;
    return write.call(control, body) as ReturnType<typeof watched.write<never>>;
  };
  const exchange = await at.call("POST", "/auth/establish-exchange", { body: { token: "x".repeat(43) } });
  const callback = await at.call("GET", "/auth/oauth/callback?code=a&state=b", { headers: { cookie: "svc_oauth=c" } });
  expect([exchange.status, callback.status, writes]).toEqual([401, 400, 0]);
  expectStatus(201, await at.call("POST", "/auth/signup", { body: { email: "b@example.com", password, name: "B" } }));
  expect(writes).toBeGreaterThan(0);
});
