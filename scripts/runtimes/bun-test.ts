/** Takes the place of `bun:test` where a runtime has none: Deno, an executable, and Bun beside them. */
import { expect } from "expect";

export { spyOn } from "jest-mock";
export * from "../collect-tests.ts";
export { expect };

/** A matcher that Bun has and Jest has not. */
const matcher =
  (does: string, holds: (received: unknown, wanted: unknown) => boolean) => (received: unknown, wanted?: unknown) => ({
    pass: holds(received, wanted),
    message: () => `${JSON.stringify(received)} ${does}${wanted === undefined ? "" : ` ${JSON.stringify(wanted)}`}`,
  });

const isEmpty = (value: unknown): boolean =>
  typeof value === "string" || Array.isArray(value) ? value.length === 0 : Object.keys(Object(value)).length === 0;

expect.extend({
  toStartWith: matcher("starts with", (text, start) => String(text).startsWith(String(start))),
  toEndWith: matcher("ends with", (text, end) => String(text).endsWith(String(end))),
  toBeString: matcher("is a string", (value) => typeof value === "string"),
  toBeBoolean: matcher("is a boolean", (value) => typeof value === "boolean"),
  toBeTrue: matcher("is true", (value) => value === true),
  toBeFalse: matcher("is false", (value) => value === false),
  toBeEmpty: matcher("is empty", isEmpty),
  toBeOneOf: matcher("is one of", (value, all) => Array.isArray(all) && all.includes(value)),
});
Object.assign(expect, {
  unreachable() {
    throw new Error("This must not be reached.");
  },
});
