import { expect, test } from "bun:test";
import { page, paginate } from "../../../src/modules/finance/documents/page.ts";

const block = (height: number, isRow = false) => ({ height, isRow, draw: () => undefined });
const divided = (...heights: number[]) =>
  paginate(
    heights.map((height) => block(height)),
    100,
    20,
  ).map((blocks) => blocks.map(({ height }) => height));

test("blocks that fill a page to its end stay on it", () => {
  const [first, next] = [page.bottom - 100, page.bottom - page.top];
  expect(divided(first - 12, 12, next - 12, 12)).toEqual([
    [first - 12, 12],
    [next - 12, 12],
  ]);
  expect(divided(first - 12, 13)).toEqual([[first - 12], [13]]);
});

test("a page that begins with a row has room for the table's head", () => {
  const room = page.bottom - page.top - 20;
  const rows = [page.bottom - 120, room, 1].map((height) => block(height, true));
  expect(paginate(rows, 100, 20).map((blocks) => blocks.length)).toEqual([1, 1, 1]);
});
