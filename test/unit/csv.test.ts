import { expect, test } from "bun:test";
import fc from "fast-check";
import { readCsv } from "../../src/core/csv.ts";

const read = (text: string) => readCsv(text, { lines: 100_000 });
const cellsOf = async (text: string) => (await read(text)).lines.map(({ cells }) => cells);

test("readCsv takes a comma or a semicolon, whichever is in the first line", async () => {
  expect(await cellsOf("a,b\n1;2,3\n")).toEqual([
    ["a", "b"],
    ["1;2", "3"],
  ]);
  expect(await cellsOf("a;b\r\n1,2;3")).toEqual([
    ["a", "b"],
    ["1,2", "3"],
  ]);
  expect(await cellsOf("a\nb")).toEqual([["a"], ["b"]]);
});

test("readCsv numbers lines as an editor does, across quoted values and blank lines", async () => {
  const { lines } = await read('a,b\r\n"1\r\n2\r\n3",x\r\n\r\n , \r\n4,y\r5,z\n');

  expect(lines).toEqual([
    { line: 1, cells: ["a", "b"] },
    { line: 2, cells: ["1\n2\n3", "x"] },
    { line: 7, cells: ["4", "y"] },
    { line: 8, cells: ["5", "z"] },
  ]);
});

test("readCsv names the line from which on it can't read", async () => {
  const { lines, fault } = await read('a,b\n1,2\n"3,4\n5,6\n');

  expect(lines).toHaveLength(2);
  expect(fault).toEqual({ line: 3, message: "A quoted value is not closed." });
});

test("readCsv stops after one line too many", async () => {
  expect((await readCsv("a\n".repeat(10_000), { lines: 10 })).lines.length).toBeLessThan(3000);
});

test("readCsv removes the mark of a formula, and no other apostrophe", async () => {
  expect(await cellsOf("'=1,''-2,'@x,'+4,'a,'',x='\n")).toEqual([["=1", "'-2", "@x", "+4", "'a", "''", "x='"]]);
});

const text: fc.Arbitrary<string> = fc
  .string({ unit: fc.constantFrom("a", "é", "😀", '"', ",", ";", "\n", "'", "=", " "), maxLength: 20 })
  .map((drawn) => drawn.trim())
  .filter((drawn) => !/^'+[=+\-@\t]/.test(drawn));

test("readCsv reads in pieces, which may end inside a character", async () => {
  for (const shift of ["", "a"]) {
    const value = shift + "😀é".repeat(8000);
    expect(await cellsOf(`a\n${value}`)).toEqual([["a"], [value]]);
  }
});

test("readCsv reads what was written", async () => {
  const table = fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 400, size: "max" });
  await fc.assert(
    fc.asyncProperty(table, fc.constantFrom("\n", "\r\n"), async (rows, end) => {
      const quoted = (cell: string) => `"${cell.replaceAll('"', '""').replaceAll("\n", end)}"`;
      const lines = [["a", "b"], ...rows].map((cells) => cells.map(quoted).join(","));
      const shown = rows.filter((cells) => cells.some((cell) => cell !== ""));
      expect(await cellsOf(lines.join(end))).toEqual([["a", "b"], ...shown]);
    }),
    { numRuns: 100 },
  );
});
