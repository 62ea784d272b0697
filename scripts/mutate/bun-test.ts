/** Takes the place of `bun:test` in the copy of the tree: collects the tests, so that `player.ts` runs each as often as it needs. */
import { format } from "node:util";

export { expect, jest, mock, spyOn } from "bun:test";

type Body = (...args: unknown[]) => unknown;

export interface Test {
  name: string;
  body: () => unknown;
  group: Group;
}

export interface Group {
  name: string;
  outer?: Group;
  beforeAll: Body[];
  beforeEach: Body[];
  afterEach: Body[];
  afterAll: Body[];
  parts: (Test | Group)[];
}

const newGroup = (name: string, outer?: Group): Group => ({
  ...{ name, beforeAll: [], beforeEach: [], afterEach: [], afterAll: [], parts: [] },
  ...(outer && { outer }),
});

/** What is outside of all files: the hooks of `preload.ts`. */
export const everything = newGroup("");
let current = everything;

/** Collects the tests of a file. */
export async function collect(file: string): Promise<Group> {
  const group = newGroup(file, everything);
  current = group;
  await import(file);
  current = everything;
  return group;
}

export const beforeAll = (body: Body) => void current.beforeAll.push(body);
export const beforeEach = (body: Body) => void current.beforeEach.push(body);
export const afterEach = (body: Body) => void current.afterEach.push(body);
export const afterAll = (body: Body) => void current.afterAll.push(body);
export const setDefaultTimeout = () => undefined;

function addGroup(name: string, body: Body): void {
  const group = newGroup(name, current);
  current.parts.push(group);
  current = group;
  body();
  current = group.outer ?? everything;
}

const addTest = (name: string, body: Body) => void current.parts.push({ name, body, group: current });

/** `test` or `describe`, with its variants. */
function variantsOf(add: (name: string, body: Body) => void) {
  const each = (table: readonly unknown[]) => (name: string, body: Body) => {
    for (const row of table) {
      const args: unknown[] = Array.isArray(row) ? row : [row];
      const count = name.match(/%\w/g)?.length ?? 0;
      add(format(name, ...args.slice(0, count)), () => body(...args));
    }
  };
  const none = Object.assign(() => undefined, { each: () => () => undefined });
  const all = Object.assign((name: string, body: Body) => add(name, body), { each });
  return Object.assign(all, {
    if: (isWanted: unknown) => (isWanted ? all : none),
    skipIf: (isUnwanted: unknown) => (isUnwanted ? none : all),
  });
}

export const test = variantsOf(addTest);
export const describe = variantsOf(addGroup);
