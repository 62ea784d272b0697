import type { Words } from "../ui/spreadsheet.ts";

/** For each file that is imported, its columns and their values in the words of a language. */
export type ColumnTexts = Readonly<Record<"people" | "aircraft", Words>>;
