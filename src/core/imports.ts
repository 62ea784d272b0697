/** A table that somebody uploaded: its lines, and what became of them. */

export interface ImportLine<Given> {
  /** Its number in the file. */
  line: number;
  /** The values of its cells, without empty ones and those with a fault. */
  given: Given;
  /** The same values as the request's JSON would have them. */
  raw: Readonly<Record<string, unknown>>;
  /** The columns whose cells have a fault. Such a line is not written, but its other values are checked. */
  faulty: readonly string[];
}

export interface ImportedLine {
  line: number;
  action: "created" | "updated";
  /** Null for what would be created. */
  id: string | null;
  /** The fields that were changed; empty for what is new. */
  changed: string[];
}

/** What an import did or, in a dry run, would do: with faults, nothing. */
export interface Imported {
  created: number;
  updated: number;
  /** The lines whose values are stored already. */
  unchanged: number;
  lines: ImportedLine[];
}
