/** Takes the place of `bun:test` in the copy of the tree: `player.ts` runs each test as often as it needs. */
export { expect, jest, mock, spyOn } from "bun:test";
export * from "../collect-tests.ts";
