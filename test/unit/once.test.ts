import { expect, test } from "bun:test";
import { once, onceEach, onceForBoth, onceRead } from "../../src/core/once.ts";

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

test("onceForBoth makes a value for each two objects, also one that is undefined", () => {
  const [anna, ben] = [{ name: "Anna" }, { name: "Ben" }];
  const [monday, tuesday] = [{ day: 1 }, { day: 2 }];
  const made: string[] = [];
  const told = onceForBoth(({ name }: typeof anna, { day }: typeof monday) => {
    made.push(`${name} ${day}`);
    return name === "Ben" ? undefined : `${name} ${day}`;
  });
  const all = () => [told(anna, monday), told(ben, monday), told(anna, tuesday), told(ben, tuesday)];
  expect(all()).toEqual(["Anna 1", undefined, "Anna 2", undefined]);
  expect(all()).toEqual(["Anna 1", undefined, "Anna 2", undefined]);
  expect(made).toEqual(["Anna 1", "Ben 1", "Anna 2", "Ben 2"]);
});
