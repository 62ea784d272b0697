import { describe, expect, test } from "bun:test";
import { createHmac, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { toInstant } from "../../src/core/clock.ts";
import { newId } from "../../src/core/ids.ts";
import { createAccessTokens } from "../../src/http/access-token.ts";
import { movableClock } from "./http-toy-app.ts";

const ISSUER = "https://ops.example.com";

function setUp() {
  const clock = movableClock();
  const key = randomBytes(32);
  const tokens = createAccessTokens({ key, issuer: ISSUER, clock });
  const grant = {
    userId: newId<"user">(clock),
    sessionId: newId<"session">(clock),
    orgId: newId<"organization">(clock),
    amr: ["pwd", "otp"],
    authTime: toInstant(clock.now()),
  };
  return { clock, key, tokens, grant };
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
const payloadOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

/** Signs a token with any header and payload with the valid key. */
function forge(key: Buffer, payload: object, header: object = { alg: "HS256", typ: "JWT" }) {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
}

describe("an access token", () => {
  test("returns the grant it was issued with, for 15 minutes of the injected clock", async () => {
    const { clock, tokens, grant } = setUp();
    const { token, expiresIn } = await tokens.issue(grant);
    expect(expiresIn).toBe(900);
    expect(await tokens.verify(token)).toMatchObject({ ...grant, expiresAt: "2025-06-14T08:45:00.000Z" });
    clock.advance(899_000);
    expect(await tokens.verify(token)).toBeDefined();
    clock.advance(1_000);
    expect(await tokens.verify(token)).toBeUndefined();
  });

  test("has the specified claims and no permission", async () => {
    const { tokens, grant } = setUp();
    const { token } = await tokens.issue({ ...grant, orgId: null });
    const payload = payloadOf(token);
    expect(new Set(Object.keys(payload))).toEqual(
      new Set(["amr", "aud", "auth_time", "exp", "iat", "iss", "jti", "org", "sid", "sub"]),
    );
    expect(payload).toMatchObject({ iss: ISSUER, aud: "windsock", sub: grant.userId, sid: grant.sessionId, org: null });
    expect(await tokens.verify(token)).toMatchObject({ orgId: null });
  });

  test("is unique", async () => {
    const { tokens, grant } = setUp();
    expect((await tokens.issue(grant)).token).not.toBe((await tokens.issue(grant)).token);
  });

  test("made by hand with the valid key and claims is accepted: each token below differs from it in one property", async () => {
    const { key, tokens, grant } = setUp();
    const payload = payloadOf((await tokens.issue(grant)).token);
    expect(await tokens.verify(forge(key, payload))).toBeDefined();
  });

  test.each([
    ["another issuer", { iss: "https://elsewhere.example.com" }],
    ["another audience", { aud: "somebody-else" }],
    ["no issuer", { iss: undefined }],
    ["no audience", { aud: undefined }],
    ["no expiry", { exp: undefined }],
    ["no subject", { sub: undefined }],
    ["a subject that is no id", { sub: "ada" }],
    ["no session", { sid: undefined }],
    ["an organization that is no id", { org: "*" }],
    ["no token id", { jti: undefined }],
    ["methods that are no list", { amr: "pwd" }],
  ])("with %s is rejected", async (_, change) => {
    const { key, tokens, grant } = setUp();
    const payload = payloadOf((await tokens.issue(grant)).token);
    expect(await tokens.verify(forge(key, { ...payload, ...change }))).toBeUndefined();
  });

  test("signed with another key is rejected", async () => {
    const { tokens, grant } = setUp();
    const payload = payloadOf((await tokens.issue(grant)).token);
    expect(await tokens.verify(forge(randomBytes(32), payload))).toBeUndefined();
  });

  test("without a signature is rejected (alg: none)", async () => {
    const { tokens, grant } = setUp();
    const payload = payloadOf((await tokens.issue(grant)).token);
    for (const alg of ["none", "None", "NONE"])
      expect(await tokens.verify(`${encode({ alg, typ: "JWT" })}.${encode(payload)}.`)).toBeUndefined();
  });

  test("of another algorithm is rejected, also with the valid key (RS/HS confusion)", async () => {
    const { key, tokens, grant } = setUp();
    const payload = payloadOf((await tokens.issue(grant)).token);
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(payload)}`;
    const signature = createSign("RSA-SHA256").update(signed).sign(privateKey).toString("base64url");
    expect(await tokens.verify(`${signed}.${signature}`)).toBeUndefined();
    expect(await tokens.verify(forge(key, payload, { alg: "RS256", typ: "JWT" }))).toBeUndefined();
    const hs384 = `${encode({ alg: "HS384", typ: "JWT" })}.${encode(payload)}`;
    const mac = createHmac("sha384", key).update(hs384).digest("base64url");
    expect(await tokens.verify(`${hs384}.${mac}`)).toBeUndefined();
  });

  test("that contains its own key, or its address, is rejected", async () => {
    const { tokens, grant } = setUp();
    const payload = payloadOf((await tokens.issue(grant)).token);
    const own = randomBytes(32);
    const jwk = { kty: "oct", k: own.toString("base64url"), alg: "HS256" };
    for (const from of [{ jwk }, { jku: "https://evil.example.com/keys" }, { x5u: "https://evil.example.com/cert" }])
      expect(await tokens.verify(forge(own, payload, { alg: "HS256", typ: "JWT", ...from }))).toBeUndefined();
  });

  test("that is not yet valid is rejected", async () => {
    const { clock, key, tokens, grant } = setUp();
    const payload = payloadOf((await tokens.issue(grant)).token);
    const nbf = Math.floor(clock.now().getTime() / 1000);
    expect(await tokens.verify(forge(key, { ...payload, nbf: nbf + 60 }))).toBeUndefined();
    expect(await tokens.verify(forge(key, { ...payload, nbf }))).toBeDefined();
  });

  test.each(["", "a", "a.b.c", "..", "é.é.é"])("with an invalid format (%p) is rejected", async (text) => {
    expect(await setUp().tokens.verify(text)).toBeUndefined();
  });
});
