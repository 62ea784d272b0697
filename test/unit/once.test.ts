import { expect, test } from "bun:test";
import { once, onceEach, onceRead } from "../../src/core/once.ts";

test("once makes the value at its first call, and only then", () => {
  let made = 0;
  const value = once(() => ++made);
  expect(made).toBe(0);
  expect([value(), value()]).toEqual([1, 1]);
});

test("onceEach makes one value for each argument, also undefined", () => {
  const made: string[] = [];
  const value = onceEach((key: string) => {
    made.push(key);
    return key === "a" ? undefined : key;
  });
  expect(["a", "b", "a", "b"].map(value)).toEqual([undefined, "b", undefined, "b"]);
  expect(made).toEqual(["a", "b"]);
});

test("onceRead makes each value when it is first read, and has all names before", () => {
  const made: string[] = [];
  const values = onceRead({ a: 1, b: 2 }, (from, name) => {
    made.push(name);
    return { from };
  });
  expect(Object.keys(values)).toEqual(["a", "b"]);
  expect(made).toEqual([]);
  expect(values.b).toEqual({ from: 2 });
  expect(values.b).toBe(values.b);
  expect(made).toEqual(["b"]);
});
