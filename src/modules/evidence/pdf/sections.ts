/** The parts of a pack's PDF after its first page. */
import { yieldingBetween } from "../../../core/async.ts";
import type { Document } from "../../../pdf/open-document.ts";
import type { FootedPage } from "../../../pdf/sheet.ts";

/** By the key of a section. */
export type FirstPages = ReadonlyMap<string, number>;

export interface Section {
  key: string;
  /** As the first page lists it; null: it does not. */
  title: string | null;
  /**
   * Returns as many pages each time, unless the records were changed: to number the pages, they are made and counted before they are
   * made again and drawn, so that only those of one section are in memory.
   *
   * @param firstPages empty while they are counted
   */
  pages(document: Document, firstPages: FirstPages): Promise<readonly FootedPage[]>;
}

/** Returns on which page each section begins, and how many pages there are. @param before how many pages are before the first */
export async function countPages(
  document: Document,
  sections: readonly Section[],
  before: number,
): Promise<{ firstPages: FirstPages; count: number }> {
  const firstPages = new Map<string, number>();
  let count = before;
  for await (const { key, pages } of yieldingBetween(sections)) {
    firstPages.set(key, count + 1);
    count += (await pages(document, new Map())).length;
  }
  return { firstPages, count };
}
