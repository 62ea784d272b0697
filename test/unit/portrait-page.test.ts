import { expect, test } from "bun:test";
import { type Block, page, paginate } from "../../src/pdf/portrait-page.ts";

const block = (height: number, more: Partial<Block> = {}): Block => ({ height, draw: () => undefined, ...more });
const divided = (...blocks: Block[]) =>
  paginate(blocks, 100).map((one) => one.map(({ block: { height }, y }) => [y, height]));

test("blocks that fill a page to its end stay on it", () => {
  const [first, next] = [page.bottom - 100, page.bottom - page.top];
  expect(divided(...[first - 12, 12, next - 12, 12].map((height) => block(height)))).toEqual([
    [
      [100, first - 12],
      [page.bottom - 12, 12],
    ],
    [
      [page.top, next - 12],
      [page.bottom - 12, 12],
    ],
  ]);
  expect(divided(block(first - 12), block(13))).toEqual([[[100, first - 12]], [[page.top, 13]]]);
});

test("the head of a table is before its first row, and again on each further page, which has room for it", () => {
  const head = block(20);
  const room = page.bottom - page.top - 20;
  const rows = [10, page.bottom - 130, room, 1].map((height) => block(height, { head }));
  expect(divided(...rows)).toEqual([
    [
      [100, 20],
      [120, 10],
      [130, page.bottom - 130],
    ],
    [
      [page.top, 20],
      [page.top + 20, room],
    ],
    [
      [page.top, 20],
      [page.top + 20, 1],
    ],
  ]);
});

test("a heading is on the page of what it is about, with the head and the first row of its table", () => {
  const room = page.bottom - 100;
  const heading = block(30, { staysWithNext: true });
  const row = block(10, { head: block(20) });
  expect(divided(block(room - 60), heading, row).length).toBe(1);
  expect(divided(block(room - 59), heading, row)).toEqual([
    [[100, room - 59]],
    [
      [page.top, 30],
      [page.top + 30, 20],
      [page.top + 50, 10],
    ],
  ]);
});
