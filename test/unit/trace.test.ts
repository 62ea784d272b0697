import { describe, expect, test } from "bun:test";
import { newId } from "../../src/core/ids.ts";
import { nextSpan, parseTraceparent, traceIds, traceparentOf } from "../../src/core/trace.ts";
import { TestClock } from "../support/clock.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";

describe("parseTraceparent", () => {
  test.each([
    [`00-${traceId}-${spanId}-00`, false],
    [`00-${traceId}-${spanId}-01`, true],
    // Flags of later versions are ignored.
    [`00-${traceId}-${spanId}-fe`, false],
    [`00-${traceId}-${spanId}-03`, true],
    // A later version may have more fields.
    [`01-${traceId}-${spanId}-01`, true],
    [`cc-${traceId}-${spanId}-01-what-comes-later`, true],
  ])("reads %s", (text, isSampled) => {
    expect(parseTraceparent(text)).toEqual({ traceId, spanId, isSampled });
  });

  test.each([
    "",
    "nonsense",
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-1`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId}-${spanId}-01-`,
    `01-${traceId}-${spanId}-01more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId.toUpperCase()}-01`,
    `00-${traceId}-${spanId}-0G`,
    `00-${traceId.slice(1)}-${spanId}-01`,
    ` 00-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01\n`,
    // Two headers.
    `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
  ])("ignores %j", (text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });
});

test("a span is written as it is read", () => {
  for (const isSampled of [true, false]) {
    const trace = { traceId, spanId, isSampled };
    expect(parseTraceparent(traceparentOf(trace))).toEqual(trace);
  }
});

test("the ids of new traces and spans are valid and differ", () => {
  const clock = new TestClock();
  const [one, other] = [traceIds(newId(clock)), traceIds(newId(clock))];
  expect(parseTraceparent(traceparentOf({ ...one, isSampled: true }))).toEqual({ ...one, isSampled: true });
  expect(one.traceId).not.toBe(other.traceId);
  expect(one.spanId).not.toBe(other.spanId);
  const next = nextSpan({ ...one, isSampled: true });
  expect(next).toEqual({ traceId: one.traceId, spanId: expect.stringMatching(/^[0-9a-f]{16}$/), isSampled: true });
  expect(next.spanId).not.toBe(one.spanId);
});
