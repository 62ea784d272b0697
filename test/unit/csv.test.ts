import { expect, test } from "bun:test";
import { CsvError } from "csv-parse";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { readCsv } from "../../src/core/csv.ts";
import { startProcessorWatch } from "../support/limits.ts";
import { times } from "../support/school.ts";

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
  expect((await readCsv("a\n".repeat(10_000), { lines: 10 })).lines).toHaveLength(11);
});

const faultOf = async (text: string) => (await read(text)).fault;

test.each(["\n", "\r\n", "\r", " ,\t\n", '""\n', "\ufeff\n"])(
  "readCsv reads at most 100,000 lines of %j",
  async (end) => {
    expect(await read(end.repeat(100_000))).toEqual({ lines: [] });
    expect(await read(`a,b\n${end.repeat(99_998)}c,d`)).toMatchObject({ lines: [{ line: 1 }, { line: 100_000 }] });
    for (const text of [end.repeat(100_001), `${end.repeat(100_000)}c`, `a,b\n${end.repeat(99_999)}c,d`])
      expect(await faultOf(text)).toEqual({
        line: 100_001,
        message: "The file has more than 100000 lines. Remove the blank ones.",
      });
  },
);

test("readCsv reads lines of at most 65536 characters and 500 values", async () => {
  const tooLong = { line: 2, message: "The line is longer than 65536 characters." };
  expect(await cellsOf(`a\n${"x".repeat(65_536)}`)).toEqual([["a"], ["x".repeat(65_536)]]);
  expect(await faultOf(`a\n${"x".repeat(65_537)}`)).toEqual(tooLong);
  expect(await faultOf(`a\n${`${"x".repeat(40_000)},`.repeat(2)}`)).toEqual(tooLong);
  expect(await cellsOf(`a\n"${'""'.repeat(32_767)}"`)).toEqual([["a"], ['"'.repeat(32_767)]]);
  expect(await faultOf(`a\n"${'""'.repeat(32_768)}"`)).toEqual(tooLong);
  expect(await faultOf(`a\n"${'""'.repeat(1_000_000)}"`)).toEqual(tooLong);
  expect(await cellsOf(`a\n${"x,".repeat(499)}x`)).toEqual([["a"], Array(500).fill("x")]);
  expect(await faultOf(`a\n${"x,".repeat(500)}x`)).toEqual({
    line: 2,
    message: "The line has more than 500 values.",
  });
});

/** Reads 2 MiB of a text several times at once. @returns the processor's time of the longest turn, and of all, in milliseconds */
async function turnsOf(unit: string, count: number): Promise<{ longest: number; all: number }> {
  const worked = startProcessorWatch();
  let [longest, last] = [0, 0];
  const turn = () => {
    const now = worked();
    [longest, last] = [Math.max(longest, now - last), now];
  };
  const timer = setInterval(turn, 1);
  await Promise.all(times(count, () => readCsv(unit.repeat((2 * 1024 * 1024) / unit.length), { lines: 5001 })));
  clearInterval(timer);
  turn();
  return { longest, all: worked() };
}

test.each(["\n", "\r", "\r\n", " \n", ",\n", '""\n', '"\n"\n', '"', ",", "x", "\ufeff", "x\n"])(
  "readCsv reads 2 MiB of %j in short turns",
  async (unit) => {
    const { longest, all } = await turnsOf(unit, 4);
    expect(longest).toBeLessThan(500);
    expect(all).toBeLessThan(5000);
  },
);

test("readCsv gives others their turn while it reads", async () => {
  const { longest, all } = await turnsOf('""\n', 10);
  expect(longest).toBeLessThan(all / 2);
});

test("readCsv removes the mark of a formula, and no other apostrophe", async () => {
  expect(await cellsOf("'=1,''-2,'@x,'+4,'a,'',x='\n")).toEqual([["=1", "'-2", "@x", "+4", "'a", "''", "x='"]]);
  expect(await cellsOf(`"a;'=1","a;''-2","a\n'""@x","a;'b","it's = ' =",'x`)).toEqual([
    ["a;=1", "a;'-2", 'a\n"@x', "a;'b", "it's = ' =", "'x"],
  ]);
});

const text: fc.Arbitrary<string> = fc
  .string({ unit: fc.constantFrom("a", "é", "😀", '"', ",", ";", "\n", "'", "=", " "), maxLength: 20 })
  .map((drawn) => drawn.trim())
  .filter((drawn) => !/^'+[=+\-@\t]|[;\t\n]'['" ]*[=+\-@]/.test(drawn));

test("readCsv reads as csv-parse does, but for blank lines", async () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "é", '"', '""', ",", "\n", "\r", "\r\n", " "), maxLength: 12 });
  const messages: Record<string, string> = {
    CSV_INVALID_CLOSING_QUOTE: "A quoted value has a quote inside that is not doubled.",
    CSV_QUOTE_NOT_CLOSED: "A quoted value is not closed.",
    INVALID_OPENING_QUOTE: "A value with a quote must be quoted, and the quote doubled.",
  };
  await fc.assert(
    fc.asyncProperty(texts, async (drawn) => {
      const { lines, fault } = await read(drawn);
      const text = drawn.replace(/\r\n?/g, "\n");
      try {
        const records: string[][] = parse(text, { record_delimiter: "\n", relax_column_count: true });
        const cells = records.map((record) => record.map((cell) => cell.trim()));
        expect(fault).toBeUndefined();
        expect(lines.map((line) => line.cells)).toEqual(cells.filter((line) => line.some((cell) => cell !== "")));
      } catch (error) {
        if (!(error instanceof CsvError)) throw error;
        expect(fault?.message).toBe(messages[error.code]);
      }
    }),
    { numRuns: 3000 },
  );
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
