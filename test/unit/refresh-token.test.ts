import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { newId } from "../../src/core/ids.ts";
import { createRefreshTokens } from "../../src/modules/accounts/sessions/refresh-token.ts";
import { TestClock } from "../support/clock.ts";

const tokens = createRefreshTokens(Buffer.alloc(32, 1));
const sessionId = newId<"session">(new TestClock());

describe("refresh token", () => {
  test("contains its session and generation, and is the same each time", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 0xff_ff_ff_ff }), (generation) => {
        const token = tokens.issue({ sessionId, generation });
        expect(tokens.read(token)).toEqual({ sessionId, generation });
        expect(tokens.issue({ sessionId, generation })).toBe(token);
      }),
    );
  });

  test("is invalid after a change of any character", () => {
    const token = tokens.issue({ sessionId, generation: 7 });
    for (let at = 0; at < token.length; at += 1)
      for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= ") {
        const forged = `${token.slice(0, at)}${letter}${token.slice(at + 1)}`;
        if (forged !== token && tokens.read(forged) !== undefined) throw new Error(`${letter} at ${at} was taken`);
      }
  });

  test("is invalid under another key or with another format", () => {
    const token = tokens.issue({ sessionId, generation: 7 });
    expect(createRefreshTokens(Buffer.alloc(32, 2)).read(token)).toBeUndefined();
    for (const text of ["", "x", `${token}=`, `${token}A`, token.slice(1), "é".repeat(70), " ".repeat(70)])
      expect(tokens.read(text)).toBeUndefined();
  });
});
