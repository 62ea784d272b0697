import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { toInstant } from "../../src/core/clock.ts";
import type { UserId } from "../../src/core/ids.ts";
import {
  matchingStep,
  newTotpSecret,
  openTotpSecret,
  sealTotpSecret,
  toBase32,
  totpUri,
} from "../../src/modules/accounts/mfa/totp.ts";
import { totpCode, totpSource } from "../support/totp.ts";

const at = (epoch: number) => toInstant(new Date(epoch * 1000));

test("codes come from oathtool where it is installed", () => {
  expect(totpSource).toBe(Bun.which("oathtool") === null ? "otplib" : "oathtool");
});

describe("matchingStep", () => {
  const secret = Buffer.from("12345678901234567890");

  // RFC 6238, appendix B, SHA-1: the last six of the eight digits.
  test.each([
    [59, "94287082"],
    [1111111109, "07081804"],
    [1111111111, "14050471"],
    [1234567890, "89005924"],
    [2000000000, "69279037"],
    [20000000000, "65353130"],
  ])("accepts the RFC's code of second %i", async (epoch, digits) => {
    const code = digits.slice(2);
    expect(await matchingStep({ secret, code, at: at(epoch), lastStep: null })).toBe(Math.floor(epoch / 30));
  });

  test(`takes a code exactly if its step is next to the present one and newer than the last one taken (${totpSource})`, async () => {
    const steps = fc.integer({ min: 10, max: 80_000_000 });
    const offset = fc.integer({ min: -4, max: 4 });
    const last = fc.option(fc.integer({ min: -4, max: 8 }), { nil: undefined });
    const key = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => Buffer.from(bytes));
    await fc.assert(
      fc.asyncProperty(
        key,
        steps,
        fc.integer({ min: 0, max: 29 }),
        offset,
        last,
        async (secret, now, second, by, used) => {
          const shown = now + by;
          const lastStep = used === undefined ? null : now + used;
          const code = await totpCode(await toBase32(secret), new Date(shown * 30_000));
          // One code in a million also belongs to a neighbouring step.
          const neighbours = await Promise.all(
            [-1, 0, 1].map(async (n) => totpCode(await toBase32(secret), new Date((now + n) * 30_000))),
          );
          fc.pre(neighbours.filter((other) => other === code).length === (Math.abs(by) <= 1 ? 1 : 0));

          // More than a minute ahead of the newest step, it was taken while the clock was ahead.
          const newestTaken = lastStep === null || lastStep > now + 1 + 2 ? -1 : lastStep;
          const isRight = Math.abs(by) <= 1 && shown > newestTaken;
          const found = await matchingStep({ secret, code, at: at(now * 30 + second), lastStep });
          expect(found).toBe(isRight ? shown : undefined);
        },
      ),
      { numRuns: 100 },
    );
  }, 300_000);
});

test("a new secret has 160 bits and is unique", async () => {
  const secrets = Array.from({ length: 50 }, newTotpSecret);
  expect(secrets.every(({ length }) => length === 20)).toBe(true);
  expect(new Set(await Promise.all(secrets.map(toBase32))).size).toBe(50);
  expect(await toBase32(Buffer.from("12345678901234567890"))).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
});

test("a sealed secret opens only for its own account", () => {
  const key = Buffer.alloc(32, 7);
  const [mine, theirs] = [
    "01890a5d-ac96-774b-bcce-b302099a8057" as UserId,
    "01890a5d-ac96-774b-bcce-b302099a8058" as UserId,
  ];
  const secret = newTotpSecret();
  const sealed = sealTotpSecret(key, mine, secret);
  expect(openTotpSecret(key, mine, sealed)).toEqual(secret);
  expect(() => openTotpSecret(key, theirs, sealed)).toThrow();
});

test("the address for apps has issuer, account and secret, with any characters", async () => {
  const uri = new URL(
    await totpUri({
      issuer: "Flugschule Ä & Ö",
      label: "ada+1@example.com",
      secret: Buffer.from("12345678901234567890"),
    }),
  );
  expect([uri.protocol, uri.host]).toEqual(["otpauth:", "totp"]);
  expect(decodeURIComponent(uri.pathname)).toBe("/Flugschule Ä & Ö:ada+1@example.com");
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    issuer: "Flugschule Ä & Ö",
  });
});
