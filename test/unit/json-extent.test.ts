import { expect, test } from "bun:test";
import { excessOf } from "../../src/http/json-extent.ts";

const excess = (text: string, { entries = 3, depth = 2 } = {}) =>
  excessOf(new TextEncoder().encode(text), { entries, depth });

test.each([
  ['{"a":1,"b":2,"c":3}', undefined],
  ['{"a":1,"b":2,"c":3,"d":4}', "entries"],
  ['{"a":1,"a":1,"a":1,"a":1}', "entries"],
  ["[1,[2]]", undefined],
  ["[1,[2,3]]", "entries"],
  ["[[],[],{}]", "entries"],
  ["[[[]]]", "depth"],
  ['"[[[[,,,,"', undefined],
  ['{"\\",,,,[[[":"\\\\"}', undefined],
  ['{"a":"\\\\","b":[1]}', undefined],
  ['{"a":"\\\\",,,,', "entries"],
  ['{"unfinished', undefined],
  ['{"unfinished\\', undefined],
  ["]]]]}}}}[1]", undefined],
  ["[9e999,-1]", undefined],
])("excessOf %s is %s", (text, wanted) => {
  expect(excess(text)).toBe(wanted as ReturnType<typeof excessOf>);
});

test("excessOf stops where there is too much: the rest of the text costs nothing", () => {
  const text = new TextEncoder().encode(`[${"1,".repeat(1000)}`);
  let read = 0;
  const counted = new Proxy(text, {
    get(target, key) {
      if (typeof key === "string" && /^\d+$/.test(key)) read += 1;
      return Reflect.get(target, key, target);
    },
  });

  expect(excessOf(counted, { entries: 10, depth: 2 })).toBe("entries");
  expect(read).toBeLessThan(60);
});
