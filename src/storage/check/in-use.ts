import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from "node:fs";
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
  #descriptor: number | undefined;
  #length = 0;
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

  /**
   * Synchronous: the file must be written before a database is opened. One call writes everything and overwrites a longer
   * text with spaces, so the file is never partial.
   */
  write(content: InUse): void {
    try {
      this.#descriptor ??= this.#open();
      const text = JSON.stringify(content).padEnd(this.#length);
      writeSync(this.#descriptor, text, 0);
      this.#length = text.length;
      this.#failed = false;
    } catch (error) {
      if (!this.#failed) this.#onError(error); // for example a full disk
      this.#failed = true;
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  /** Keeps the content until the first write. */
  #open(): number {
    const descriptor = openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600);
    this.#length = fstatSync(descriptor).size;
    return descriptor;
  }
}
