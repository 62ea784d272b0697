import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isId, type OrgId } from "../../core/ids.ts";

const Content = z.object({
  /** The note of `control.db` at an orderly stop; null while the program runs. */
  control: z.string().nullable(),
  tenants: z.array(z.string()),
});

interface InUse {
  control: string | null;
  /** The tenants that were open, and those that must be checked before they are used. */
  tenants: readonly OrgId[];
}

/**
 * The file `in-use.json`: which databases are in use. After an abnormal end, reading one of them may have ended the process.
 * It is not synced: the operating system keeps what was written when a process ends.
 */
export class InUseFile {
  readonly #path: string;
  readonly #onError: (error: unknown) => void;
  #failed = false;

  /** @param onError called when the file can't be written, once until it can. The databases are used all the same. */
  constructor(directory: string, onError: (error: unknown) => void) {
    this.#path = join(directory, "in-use.json");
    this.#onError = onError;
  }

  /** Returns `undefined` if no file is there, or if it is unreadable after a power failure. */
  read(): InUse | undefined {
    try {
      const { control, tenants } = Content.parse(JSON.parse(readFileSync(this.#path, "utf8")));
      return { control, tenants: tenants.filter((id) => isId<"organization">(id)) };
    } catch {
      return undefined;
    }
  }

  /** Synchronous: the file must be written before a database is opened. Renamed into place, so that it is never partial. */
  write(content: InUse): void {
    try {
      writeFileSync(`${this.#path}.tmp`, JSON.stringify(content), { mode: 0o600 });
      renameSync(`${this.#path}.tmp`, this.#path);
      this.#failed = false;
    } catch (error) {
      if (!this.#failed) this.#onError(error); // for example a full disk
      this.#failed = true;
    }
  }
}
