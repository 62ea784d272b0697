/** Requirements of OWASP ASVS for sign-ins through a provider, beyond `oauth-*.test.ts`. The table is in ASVS.md of accounts. */
import { expect, test } from "bun:test";
import { createHmac, createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { days } from "../../../src/core/clock.ts";
import { snapshot } from "../../support/databases.ts";
import {
  type Begun,
  begin,
  type Claims,
  comeBack,
  json,
  newInstallationWithProvider,
  providerOf,
} from "../../support/oidc.ts";
import { expectStatus } from "../../support/school.ts";
import { actions, isSignedIn, refresh } from "./newcomers.ts";

const ada: Claims = { sub: "ada-1", email: "ada@example.com", email_verified: true, name: "Ada Lindner" };

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 });
const byStranger = (text: string) => signature(text, stranger.privateKey);
const ownKey = { ...stranger.publicKey.export({ format: "jwk" }), kid: "one", alg: "RS256", use: "sig" };

test.each<[string, object, (text: string) => string]>([
  ["without a signature", { alg: "none" }, () => ""],
  ["with a MAC by the client secret", { alg: "HS256" }, (text) => mac(text, "not-a-secret-but-long-enough-for-hs256")],
  ["that brings its own key", { alg: "RS256", kid: "one", jwk: ownKey }, byStranger],
  ["that says where its key is", { alg: "RS256", kid: "one", jku: "https://evil.example.com/keys" }, byStranger],
])("an id_token %s is rejected", async (_, header, sign) => {
  const at = await newInstallationWithProvider();
  const provider = providerOf(at);
  const begun = await begin(at);
  const back = provider.admit(begun, ada);
  const text = `${encode(header)}.${encode(payload(provider.issuer, begun, at.clock.now()))}`;
  const id_token = `${text}.${sign(text)}`;
  provider.instead.set("/token", (response) => json(response, { access_token: "a", token_type: "Bearer", id_token }));
  expectStatus(502, await comeBack(at, back, begun.cookie));
  expect(await actions(at)).toEqual([]);
});

test("an id_token is rejected before it is valid", async () => {
  const at = await newInstallationWithProvider();
  const now = Math.floor(at.clock.now().getTime() / 1000);
  // The library tolerates 30 seconds.
  const signIn = async (nbf: number) => {
    const begun = await begin(at);
    return comeBack(at, providerOf(at).admit(begun, ada, { token: { nbf } }), begun.cookie);
  };
  expectStatus(502, await signIn(now + 60));
  expectStatus(200, await signIn(now));
});

test("a provider's tokens are neither stored nor returned", async () => {
  const at = await newInstallationWithProvider();
  const provider = providerOf(at);
  const begun = await begin(at);
  const back = provider.admit(begun, { sub: ada.sub });
  const shown: (string | undefined)[] = [];
  provider.instead.set("/userinfo", (response) => {
    shown.push(response.req.headers.authorization);
    json(response, ada);
  });
  const { text } = expectStatus(200, await comeBack(at, back, begun.cookie));

  const accessToken = new URLSearchParams(back).get("code") ?? "";
  expect(shown).toEqual([`Bearer ${accessToken}`]);
  const kept = JSON.stringify([...(await snapshot(at.storage)), text, at.logged]);
  expect(kept).toContain("ada-1");
  // The header of its id_token, with RS256; our tokens use HS256.
  for (const theirs of [accessToken, encode({ alg: "RS256", kid: "one" })]) expect(kept).not.toContain(theirs);
});

test("a session continues and ends independently of the provider", async () => {
  const at = await newInstallationWithProvider();
  const provider = providerOf(at);
  const begun = await begin(at);
  const { body: pair } = expectStatus(200, await comeBack(at, provider.admit(begun, ada), begun.cookie));
  await provider.close();

  at.clock.advance(days(29));
  const { body: next } = expectStatus(200, await refresh(at, pair.refresh_token));
  expect(await isSignedIn(at, { token: next.access_token })).toBe(true);
  at.clock.advance(days(30));
  expectStatus(401, await refresh(at, next.refresh_token));
});

function payload(iss: string, { authorizationUrl }: Begun, now: Date): object {
  const iat = Math.floor(now.getTime() / 1000);
  const nonce = new URL(authorizationUrl).searchParams.get("nonce");
  return { iss, aud: "windsock", nonce, iat, exp: iat + 300, ...ada };
}

const signature = (text: string, key: KeyObject) => createSign("RSA-SHA256").update(text).sign(key, "base64url");
const mac = (text: string, secret: string) => createHmac("sha256", secret).update(text).digest("base64url");
