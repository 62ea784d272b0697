import { expect, test } from "bun:test";
import fc from "fast-check";
import { equal, hmac, type KeyPurpose, keyRing, newToken, seal, sha256, unseal } from "../../src/core/crypto.ts";

const bytes = (constraints: fc.IntArrayConstraints = {}) =>
  fc.uint8Array(constraints).map((array) => Buffer.from(array));
const key = bytes({ minLength: 32, maxLength: 32 });

test("unseal returns what was sealed, for any bytes", () => {
  fc.assert(
    fc.property(key, bytes(), fc.string(), (key, plain, context) => {
      expect(unseal(key, seal(key, plain, context), context)).toEqual(plain);
    }),
  );
});

test("unseal throws for another key and for another context", () => {
  fc.assert(
    fc.property(key, key, bytes(), fc.string(), fc.string(), (key, other, plain, context, elsewhere) => {
      fc.pre(!key.equals(other) && context !== elsewhere);
      const sealed = seal(key, plain, context);
      expect(() => unseal(other, sealed, context)).toThrow();
      expect(() => unseal(key, sealed, elsewhere)).toThrow();
    }),
  );
});

test("unseal throws for a value with any flipped bit, and for a truncated value", () => {
  fc.assert(
    fc.property(key, bytes(), fc.nat(), (key, plain, position) => {
      const sealed = Buffer.from(seal(key, plain, "here"), "base64url");
      const flipped = Buffer.from(sealed);
      const bit = position % (sealed.length * 8);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => unseal(key, flipped.toString("base64url"), "here")).toThrow();
      expect(() => unseal(key, sealed.subarray(0, position % sealed.length).toString("base64url"), "here")).toThrow();
    }),
  );
});

test("seal never returns the same value twice", () => {
  const key = Buffer.alloc(32, 7);
  const sealed = Array.from({ length: 100 }, () => seal(key, Buffer.from("the same"), "here"));
  expect(new Set(sealed).size).toBe(100);
});

const purposes: readonly KeyPurpose[] = ["access-token", "refresh-token", "sealing", "audit-head", "idempotency"];

test("keyRing has a different key for each purpose, and the same keys for the same secret", () => {
  const secret = Buffer.from("a secret of an installation, long enough");
  const ring = keyRing(secret);
  const keys = purposes.map((purpose) => ring.key(purpose).toString("hex"));

  expect(new Set([...keys, secret.toString("hex")]).size).toBe(purposes.length + 1);
  expect(keys.map((key) => key.length)).toEqual(purposes.map(() => 64));
  expect(purposes.map((purpose) => keyRing(secret).key(purpose).toString("hex"))).toEqual(keys);
  expect(keyRing(secret).id).toBe(ring.id);

  const other = keyRing(Buffer.from("another secret of an installation, as long"));
  expect(purposes.some((purpose) => keys.includes(other.key(purpose).toString("hex")))).toBeFalse();
  expect(other.id).not.toBe(ring.id);
});

test("keyRing's id reveals no key", () => {
  const ring = keyRing(Buffer.alloc(32, 1));
  expect(ring.id).toMatch(/^[0-9a-f]{16}$/);
  for (const purpose of purposes) expect(ring.key(purpose).toString("hex")).not.toContain(ring.id);
});

test("keyRing's keys do not change between releases: data is sealed under them", () => {
  const ring = keyRing(Buffer.alloc(32, 1));
  expect(ring.id).toBe("f0343e7a02b32a9e");
  expect(purposes.map((purpose) => ring.key(purpose).toString("hex").slice(0, 16))).toEqual([
    "67598b76ca1c13ab",
    "5cd983789d390946",
    "dff97ca8da46fa7a",
    "269c1baebae35245",
    "e6cb0fa111325dad",
  ]);
});

test("newToken has 256 bits and needs no encoding in a URL", () => {
  const tokens = Array.from({ length: 100 }, newToken);
  for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(new Set(tokens).size).toBe(100);
});

test("sha256 and hmac match the test vectors of the standards", () => {
  // FIPS 180-2, B.1; RFC 4231, test case 2.
  expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(hmac(Buffer.from("Jefe"), "what do ya want for nothing?").toString("hex")).toBe(
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

test("equal compares values of any length", () => {
  expect(equal(Buffer.from("abc"), Buffer.from("abc"))).toBeTrue();
  expect(equal(Buffer.from("abc"), Buffer.from("abd"))).toBeFalse();
  expect(equal(Buffer.from("abc"), Buffer.from("abcd"))).toBeFalse();
  expect(equal(Buffer.alloc(0), Buffer.alloc(0))).toBeTrue();
});
