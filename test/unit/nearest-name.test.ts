import { expect, test } from "bun:test";
import { nearestName } from "../../src/http/nearest-name.ts";

const names = ["limit", "offset", "cursor", "with_total", "status", "aircraft_id", "from", "to"];

test.each([
  ["limt", "limit"],
  ["Limit", "limit"],
  ["ofset", "offset"],
  ["statsu", "status"],
  ["withTotal", "with_total"],
  ["aircraft", "aircraft_id"],
  ["form", undefined],
  ["x", undefined],
  ["page_size", undefined],
  ["s3cr3t-token", undefined],
  ["l".repeat(100_000), undefined],
])("nearestName of %s is %s", (given, nearest) => {
  expect(nearestName(given, names)).toBe(nearest);
});
