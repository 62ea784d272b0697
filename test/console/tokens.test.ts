/** The console's tokens: renewed before they end, once for all who wait, and gone when the session is over. */
import { expect, test } from "bun:test";
import { Problem, Unreachable } from "../../src/console/api/problem.ts";
import { createTokens } from "../../src/console/app/tokens.ts";

function tokensAgainst(answers: (() => Response | Promise<Response>)[], inCookie = true) {
  const bodies: unknown[] = [];
  let now = 0;
  const tokens = createTokens(
    {
      async fetch(_, { body }) {
        bodies.push(JSON.parse(String(body)));
        const answer = answers[bodies.length - 1];
        if (!answer) throw new TypeError("There is no answer.");
        return answer();
      },
      now: () => now,
      alone: (work) => work(),
    },
    inCookie,
  );
  const pass = (seconds: number) => {
    now += seconds * 1000;
  };
  return { tokens, bodies, pass };
}

const pair = (token: string, refresh_token?: string) => ({
  token_type: "Bearer" as const,
  access_token: token,
  expires_in: 900,
  refresh_expires_in: 9000,
  ...(refresh_token !== undefined && { refresh_token }),
});
const renewed = (token: string, refresh?: string) => () => Response.json(pair(token, refresh));
const refused = () => Response.json({ error: { code: "UNAUTHORIZED" } }, { status: 401 });

test("an access token is used until 30 seconds before its end, then renewed", async () => {
  const { tokens, bodies, pass } = tokensAgainst([renewed("b")]);
  tokens.take(pair("a"));
  pass(869);
  expect(await tokens.current()).toBe("a");
  pass(1);
  expect(await tokens.current()).toBe("b");
  expect(bodies).toEqual([{ cookie: true }]);
});

test("all who need a new token at once get the one of one request", async () => {
  const { tokens, bodies } = tokensAgainst([renewed("b")]);
  tokens.take(pair("a"));
  expect(await Promise.all([tokens.renew("a"), tokens.renew("a"), tokens.renew()])).toEqual(["b", "b", "b"]);
  expect(await tokens.renew("a")).toBe("b");
  expect(bodies).toHaveLength(1);
});

test("where the browser keeps no cookie, the refresh token is sent, and without one nothing is", async () => {
  const { tokens, bodies } = tokensAgainst([renewed("b", "r2"), refused], false);
  expect(await tokens.renew()).toBeUndefined();
  tokens.take(pair("a", "r1"));
  expect(await tokens.renew()).toBe("b");
  expect(tokens.refreshToken).toBe("r2");
  expect(bodies).toEqual([{ refresh_token: "r1" }]);
  expect(await tokens.renew()).toBeUndefined();
  expect(tokens.refreshToken).toBeUndefined();
});

test("a refusal ends the session; no connection and a fault of the server do not", async () => {
  const { tokens } = tokensAgainst([
    () => Promise.reject(new TypeError("offline")),
    () => new Response(null, { status: 503 }),
    refused,
  ]);
  tokens.take(pair("a"));
  const failure = () => tokens.renew().catch((error: unknown) => error);
  expect(await failure()).toBeInstanceOf(Unreachable);
  expect(await failure()).toBeInstanceOf(Problem);
  expect(await tokens.current()).toBe("a");
  expect(await tokens.renew()).toBeUndefined();
  expect(await tokens.current()).toBeUndefined();
});

test("a session that began while the one of before was refused goes on", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const { tokens } = tokensAgainst([() => promise]);
  tokens.take(pair("a"));
  const renewing = tokens.renew("a");
  tokens.take(pair("b"));
  resolve(refused());
  expect(await renewing).toBe("b");
  expect(await tokens.current()).toBe("b");
});
