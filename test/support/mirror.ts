/** A copy of the public lists, as an integrator keeps it: by what changed since it last asked. */
import { isDeepStrictEqual } from "node:util";
import type { Installation } from "./installation.ts";
import { expectStatus, type School } from "./school.ts";

interface Item {
  id: string;
  [name: string]: unknown;
}

/** Each list with `updated_since`, its scope, and whether the list without it has an item. */
const lists: Record<string, { scope: string; isListed?: (item: Item) => boolean }> = {
  "/pilots": {
    scope: "public.pilots:read",
    isListed: ({ status, types }) =>
      status === "active" && ["student", "pilot", "instructor"].some((type) => (types as string[]).includes(type)),
  },
  "/flights": { scope: "public.flights:read" },
  "/maintenance/work-orders": { scope: "public.maintenance:read" },
  "/planning/sessions": { scope: "public.planning:read" },
  "/training/signoffs": { scope: "public.signoffs:read" },
  "/invoices": { scope: "public.invoices:read" },
  "/vtr": { scope: "public.vtr:read" },
};

export interface Mirror {
  /** Reads what changed since the last time. */
  refresh(): Promise<void>;
  /** Compares the copy with the whole lists. @returns the items that differ, as both have them */
  differences(): Promise<{ path: string; copied: Item | undefined; listed: Item | undefined }[]>;
  /** Returns the number of items of a list that the copy has. */
  size(path: string): number;
  paths: readonly string[];
}

/** @param limit the length of a page */
export async function newMirror(school: School<Installation>, limit = 20): Promise<Mirror> {
  const key = await school.apiKey(...Object.values(lists).map(({ scope }) => scope));
  const copies = new Map(Object.keys(lists).map((path) => [path, { items: new Map<string, Item>(), cursor: "" }]));
  const ask = async (path: string) => expectStatus(200, await school.publicGet(path, key)).body;

  return {
    async refresh() {
      for (const [path, copy] of copies) {
        for (let more = true; more; ) {
          const from = copy.cursor && `&cursor=${encodeURIComponent(copy.cursor)}`;
          const { data, page } = await ask(`${path}?updated_since=2000-01-01T00:00:00Z&limit=${limit}${from}`);
          for (const item of data) copy.items.set(item.id, item);
          copy.cursor = page.last_cursor ?? "";
          more = page.has_more;
        }
      }
    },
    async differences() {
      const found = [];
      for (const [path, { items }] of copies) {
        const { isListed = () => true } = lists[path] ?? {};
        const listed = new Map<string, Item>();
        for (let cursor: string | null = ""; cursor !== null; ) {
          const { data, page } = await ask(`${path}?limit=500${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
          for (const item of data) listed.set(item.id, item);
          cursor = page.next_cursor;
        }
        const copied = new Map([...items].filter(([, item]) => isListed(item)));
        for (const id of new Set([...copied.keys(), ...listed.keys()])) {
          const both = { path, copied: copied.get(id), listed: listed.get(id) };
          if (!isDeepStrictEqual(both.copied, both.listed)) found.push(both);
        }
      }
      return found;
    },
    paths: Object.keys(lists),
    size: (path) => copies.get(path)?.items.size ?? 0,
  };
}
