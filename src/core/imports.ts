/** A table that somebody uploaded: its lines, and what became of them. */

export interface ImportLine<Given> {
  /** Its number in the file. */
  line: number;
  /** The values of its cells, without empty ones. */
  given: Given;
  /** The same values as the request's JSON would have them. */
  raw: Readonly<Record<string, unknown>>;
}

export interface ImportedLine {
  line: number;
  action: "created" | "updated";
  /** Null for what would be created. */
  id: string | null;
  /** The fields that were changed; empty for what is new. */
  changed: string[];
}

export interface Imported {
  created: number;
  updated: number;
  unchanged: number;
  lines: ImportedLine[];
}
