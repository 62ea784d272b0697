import type { Issue } from "./errors.ts";

/** The faults of an uploaded table. All are counted, and the first are kept. */
export class Faults {
  static readonly MOST = 300;
  readonly #issues: Issue[] = [];
  count = 0;
  readonly #names: readonly string[];
  readonly #missing = new Set<string>();

  /** @param names the columns that the table has */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** In the order of the lines. */
  get issues(): readonly Issue[] {
    return this.#issues.toSorted((a, b) => Number.parseInt(a.path, 10) - Number.parseInt(b.path, 10));
  }

  /**
   * Adds a fault of a line. Where a whole column is missing, it is one fault.
   *
   * @param issue its path is the column, or empty for the line
   */
  add(line: number, { path, declared, ...issue }: Issue): void {
    if (issue.code === "required" && path !== "" && !this.#names.includes(path)) {
      if (this.#missing.has(path)) return;
      this.#missing.add(path);
      this.#keep({
        ...issue,
        path: `1.${path}`,
        declared: path,
        message: "The column is missing. A new line needs it.",
      });
    } else {
      const at = path === "" ? String(line) : `${line}.${path}`;
      // Without the line, so that the log counts the faults of a column.
      this.#keep({ ...issue, path: at, declared: declared ?? (path === "" ? "line" : path) });
    }
  }

  #keep(issue: Issue): void {
    this.count += 1;
    if (this.#issues.length < Faults.MOST) this.#issues.push(issue);
  }
}
