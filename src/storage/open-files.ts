import { Problem } from "../core/errors.ts";

/** Something that can be open, and that must be closed before it is opened again. */
interface Closable {
  close(): Promise<void>;
}

interface Entry<T> {
  opened: Promise<T>;
  users: number;
  /** To be closed when its last user is gone. */
  retired: boolean;
  /** Called when its last user is gone. */
  whenUnused: (() => void)[];
}

/** Open files by name, at most `limit` of them, the least recently used closed first; never one that is in use. */
export class OpenFiles<T extends Closable> {
  /** In the order of their last use, which is the order a Map keeps when an entry is deleted and set again. */
  readonly #entries = new Map<string, Entry<T>>();
  readonly #closing = new Map<string, Promise<void>>();
  readonly #open: (name: string) => Promise<T>;
  readonly #onCloseError: (name: string, error: unknown) => void;
  readonly #onClosed: (why: "evicted" | "retired") => void;
  readonly #limit: number;
  #closed = false;

  /**
   * @param onCloseError told of a file that could not be closed as it should: nobody waits for that
   * @param onClosed told of each that was closed while others go on
   */
  constructor(
    limit: number,
    open: (name: string) => Promise<T>,
    onCloseError: (name: string, error: unknown) => void = () => undefined,
    onClosed: (why: "evicted" | "retired") => void = () => undefined,
  ) {
    this.#limit = limit;
    this.#open = open;
    this.#onCloseError = onCloseError;
    this.#onClosed = onClosed;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Those open at this moment, opened ones only. */
  async *all(): AsyncGenerator<[string, T]> {
    for (const [name, entry] of [...this.#entries]) {
      const file = await entry.opened.catch(() => undefined);
      if (file !== undefined) yield [name, file];
    }
  }

  /** Opens `name` if it is not open and keeps it open while `work` runs. */
  async use<R>(name: string, work: (file: T) => Promise<R>): Promise<R> {
    if (this.#closed) throw new Problem("UNAVAILABLE", "The server is stopping.");
    const entry = this.#entries.get(name) ?? this.#newEntry(name);
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    entry.users += 1;
    try {
      return await work(await this.#orForget(name, entry));
    } finally {
      entry.users -= 1;
      if (entry.users === 0) for (const tell of entry.whenUnused.splice(0)) tell();
      if (entry.users === 0 && entry.retired && this.#entries.get(name) === entry)
        void this.#close(name, entry, "retired");
      this.#evict();
    }
  }

  /** Closes one file, if it is open, as soon as nobody uses it; the next to use it opens it anew. */
  retire(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    entry.retired = true;
    if (entry.users === 0) void this.#close(name, entry, "retired");
  }

  /** Closes one file, if it is open, after those who use it now. */
  async forget(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    if (entry !== undefined) await this.#close(name, entry);
    await this.#closing.get(name);
  }

  /** Closes all, each after those who use it now, and opens none any more. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const [name, entry] of [...this.#entries]) void this.#close(name, entry);
    await Promise.all(this.#closing.values());
  }

  #newEntry(name: string): Entry<T> {
    return { opened: this.#openAfterClose(name), users: 0, retired: false, whenUnused: [] };
  }

  async #openAfterClose(name: string): Promise<T> {
    await this.#closing.get(name);
    return this.#open(name);
  }

  /** What could not be opened is tried again at the next use: the operator may have mended it meanwhile. */
  async #orForget(name: string, entry: Entry<T>): Promise<T> {
    try {
      return await entry.opened;
    } catch (error) {
      if (this.#entries.get(name) === entry) this.#entries.delete(name);
      throw error;
    }
  }

  #evict(): void {
    for (const [name, entry] of this.#entries) {
      if (this.#entries.size <= this.#limit) return;
      if (entry.users === 0) void this.#close(name, entry, "evicted");
    }
  }

  #close(name: string, entry: Entry<T>, why?: "evicted" | "retired"): Promise<void> {
    this.#entries.delete(name);
    const closing = this.#closeUnused(name, entry).finally(() => {
      if (why !== undefined) this.#onClosed(why);
      if (this.#closing.get(name) === closing) this.#closing.delete(name);
    });
    this.#closing.set(name, closing);
    return closing;
  }

  async #closeUnused(name: string, entry: Entry<T>): Promise<void> {
    const file = await entry.opened.catch(() => undefined);
    if (entry.users > 0) await new Promise<void>((resolve) => entry.whenUnused.push(resolve));
    try {
      await file?.close();
    } catch (error) {
      this.#onCloseError(name, error);
    }
  }
}
