/** The part of `bun:test` that declares tests: collects them, for what runs them in another way. */
import { format } from "node:util";

type Body = (...args: unknown[]) => unknown;

export interface Test {
  name: string;
  body: () => unknown;
  group: Group;
  /** Milliseconds that it may take, if it says so. */
  limit?: number;
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

/** Collects the tests of a file. @param load loads its module */
export async function collect(file: string, load: () => Promise<unknown> = () => import(file)): Promise<Group> {
  const group = newGroup(file, everything);
  current = group;
  try {
    await load();
  } finally {
    current = everything;
  }
  return group;
}

export const beforeAll = (body: Body) => void current.beforeAll.push(body);
export const beforeEach = (body: Body) => void current.beforeEach.push(body);
export const afterEach = (body: Body) => void current.afterEach.push(body);
export const afterAll = (body: Body) => void current.afterAll.push(body);
export const setDefaultTimeout = () => undefined;

type Add = (name: string, body: Body, limit?: number) => void;

function addGroup(name: string, body: Body): void {
  const group = newGroup(name, current);
  current.parts.push(group);
  current = group;
  body();
  current = group.outer ?? everything;
}

const addTest: Add = (name, body, limit) =>
  void current.parts.push({ name, body, group: current, ...(limit !== undefined && { limit }) });

/** `test` or `describe`, with its variants. */
function variantsOf(add: Add) {
  const each = (table: readonly unknown[]) => (name: string, body: Body, limit?: number) => {
    for (const row of table) {
      const args: unknown[] = Array.isArray(row) ? row : [row];
      const count = name.match(/%\w/g)?.length ?? 0;
      add(format(name.replaceAll("%p", "%j"), ...args.slice(0, count)), () => body(...args), limit);
    }
  };
  const none = Object.assign(() => undefined, { each: () => () => undefined });
  const all = Object.assign((...args: Parameters<Add>) => add(...args), { each });
  return Object.assign(all, {
    if: (isWanted: unknown) => (isWanted ? all : none),
    skipIf: (isUnwanted: unknown) => (isUnwanted ? none : all),
  });
}

export const test = variantsOf(addTest);
export const describe = variantsOf(addGroup);
