/** A log: what is drawn. */
import type { Language } from "../core/languages.ts";
import type { LedgerPage } from "../storage/ledger.ts";
import type { PageRequest } from "../storage/page.ts";
import type { Totals } from "../storage/totals.ts";

export interface Column<Name extends string, Row> {
  /** The first line of the head, over all columns beside each other that have the same; empty if there is none. */
  group: string;
  name: string;
  width: number;
  /** One text, which is wrapped, or lines. What does not fit is cut. */
  cell(row: Row): string | readonly string[];
  /** Numbers are aligned to the right, and written smaller if they do not fit. */
  isNumber?: boolean;
  /** Who signs a row in this column: below its text, which then has one line. */
  signer?(row: Row): string | undefined;
  /** What stands in this column below the rows. */
  total?(totals: Totals<Name>): string;
}

/** What each page says besides its rows. */
export interface BookWords {
  page(number: number, count: number): string;
  totals: { page: string; before: string; all: string };
}

export interface Book<Name extends string, Row> {
  language: Language;
  words: BookWords;
  title: string;
  /** Whose it is: beside the title. */
  subject: string;
  /** The subject's: below the name. */
  address?: string;
  /** Below the title. */
  note: string;
  columns: readonly Column<Name, Row>[];
  /** Lines below the totals: what the words in the rows mean. */
  legend?: readonly string[];
  /** At the foot of each page: who signs. */
  signature?: string;
  /** How many rows there are. */
  count: number;
  now: Date;
  /** Reads the pages one after the other, as `pagesOf` does. */
  read(page: PageRequest): Promise<LedgerPage<Name, Row>>;
}
