import { expect, test } from "bun:test";
import { pemOf } from "../../src/modules/evidence/format/public-key.ts";
import { keysIn } from "../../src/modules/evidence/format/trusted-key.ts";
import { verifyPack } from "../../src/modules/evidence/format/verify-pack.ts";
import { forged, forger, inPieces, statedByForger } from "../http/evidence/packing.ts";

const parts = { "flights.json": "[]" };
const { issuer, subject } = statedByForger;
const verify = (zip: Uint8Array, options: Parameters<typeof verifyPack>[1] = {}) =>
  verifyPack(inPieces(zip), options).then(
    () => "valid",
    (error: Error) => `${error.name}: ${error.message}`,
  );

test("verifyPack refuses a manifest whose texts could fake lines, or whose parts a reader could take for others", async () => {
  expect(await verify(forged(parts))).toBe("valid");
  for (const stated of [
    { issuer: { ...issuer, name: "School\nKey: trusted" } },
    { issuer: { ...issuer, name: "School \u001b[2J" } },
    { issuer: { ...issuer, name: "School \u202eloohcS" } },
    { issuer: { ...issuer, name: "x".repeat(301) } },
    { issuer: { ...issuer, keys_url: "https://a.example/ \u001b[1m" } },
    { issuer: { ...issuer, keys_url: "javascript:alert(1)" } },
    { subject: { ...subject, name: "Sam\u2028Student" } },
  ])
    expect(await verify(forged(parts, { stated }))).toBe("PackFault: manifest.json is not the manifest of a pack.");
  const twice = [
    ["flights.json", "[]"],
    ["flights.json", "[1]"],
  ] as const;
  for (const contents of [twice, [["manifest.json", "{}"]] as const])
    expect(await verify(forged(contents))).toContain("is not the manifest");
});

test("verifyPack compares the bytes of a manifest, not its text", async () => {
  const stated = { subject: { ...subject, name: "Sam \ufffd" } };
  expect(await verify(forged(parts, { stated }))).toBe("valid");
  const invalid = (text: string) => {
    const bytes = Buffer.from(text);
    const at = bytes.indexOf(Buffer.from("\ufffd"));
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at + 3)]);
  };
  expect(await verify(forged(parts, { stated, bytes: invalid }))).toContain("is not the manifest");
});

test("keysIn trusts a retired key for what it signed before", async () => {
  const keys = (retired_at: string | null) =>
    keysIn(JSON.stringify({ data: [{ public_key: pemOf(forger.x), retired_at }] }));
  const zip = forged(parts);
  for (const trusts of [keys(null), keys("2026-06-01T00:00:00.000Z"), keysIn(pemOf(forger.x))])
    expect(await verify(zip, { trusts })).toBe("valid");
  expect(await verify(zip, { trusts: keys("2026-05-31T23:59:59.999Z") })).toContain("after that one was retired");
});

test("verifyPack closes its source when it refuses a pack", async () => {
  let closed = 0;
  async function* endless() {
    try {
      for (;;) yield Buffer.alloc(1000);
    } finally {
      closed += 1;
    }
  }
  await expect(verifyPack(endless())).rejects.toThrow("manifest.json is not where it must be.");
  expect(closed).toBe(1);
});
