import { atMost, countdown, type Remaining, yieldToEventLoop } from "../core/async.ts";
import { Problem } from "../core/errors.ts";

/** A resource that must be closed before it is opened again. */
interface Closable {
  close(): Promise<void>;
  /** Whether closing it takes long. */
  isSlowToClose?: boolean;
}

interface Entry<T> {
  opened: Promise<T>;
  users: number;
  /** Closed after its last user. */
  retired: boolean;
  /** Called after its last user. */
  whenUnused: (() => void)[];
}

/** Open files by name, at most `limit`. Closes the least recently used file that is not in use. */
export class OpenFiles<T extends Closable> {
  /** Ordered by last use: each use deletes the entry and sets it again, which moves it to the end of the Map. */
  readonly #entries = new Map<string, Entry<T>>();
  readonly #closing = new Map<string, Promise<void>>();
  readonly #open: (name: string) => Promise<T>;
  readonly #onCloseError: (name: string, error: unknown) => void;
  readonly #onClosed: (why: "evicted" | "retired") => void;
  readonly #limit: number;
  #closed = false;
  /** Files that the last close could not complete. */
  #failed = 0;

  /**
   * @param onCloseError called when a file can't be closed, because no caller waits for that
   * @param onClosed called for each file that is closed before `close`
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

  /** Returns whether the file is open or being opened. */
  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Waits until the file is closed, if it is being closed. */
  async closed(name: string): Promise<void> {
    await this.#closing.get(name);
  }

  /** Yields the files that are open now, without those that failed to open. */
  async *all(): AsyncGenerator<[string, T]> {
    for (const [name, entry] of [...this.#entries]) {
      const file = await entry.opened.catch(() => undefined);
      if (file !== undefined) yield [name, file];
    }
  }

  /** Opens `name` if it is not open, and keeps it open while `work` runs. */
  async use<R>(name: string, work: (file: T) => Promise<R>): Promise<R> {
    if (this.#closed) throw new Problem("UNAVAILABLE", "The server is stopping.");
    const entry = this.#entries.get(name) ?? this.#newEntry(name);
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    entry.users += 1;
    try {
      return await work(await this.#opened(name, entry));
    } finally {
      entry.users -= 1;
      if (entry.users === 0) for (const onUnused of entry.whenUnused.splice(0)) onUnused();
      if (entry.users === 0 && entry.retired && this.#entries.get(name) === entry)
        void this.#close(name, entry, "retired");
      this.#evict();
    }
  }

  /** Closes one file, if it is open, after its last user. The next use opens it again. */
  retire(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    entry.retired = true;
    if (entry.users === 0) void this.#close(name, entry, "retired");
  }

  /** Closes up to `count` files that are not in use, the least recently used first. @returns how many, when they are closed */
  async evict(count: number): Promise<number> {
    const unused = [...this.#entries].filter(([, entry]) => entry.users === 0).slice(0, count);
    await Promise.all(unused.map(([name, entry]) => this.#close(name, entry, "evicted")));
    return unused.length;
  }

  /** Returns whether a file is open that is not in use. */
  get hasUnused(): boolean {
    for (const { users } of this.#entries.values()) if (users === 0) return true;
    return false;
  }

  /** Closes one file now, if it is open and not in use: it is not needed again soon. */
  release(name: string): void {
    const entry = this.#entries.get(name);
    if (entry?.users === 0) void this.#close(name, entry, "evicted");
  }

  /** Closes one file, if it is open, and waits for its present users. */
  async forget(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    if (entry !== undefined) await this.#close(name, entry);
    await this.#closing.get(name);
  }

  /**
   * Closes all files after their present users. Further uses throw. One file after the other, so that as many as possible
   * are closed in time: first those that close quickly, then those that were used last, which are likely to be needed again
   * first. Those in use come last.
   *
   * @returns how many files were not closed in time, which stay open, or could not be completed
   */
  async close(remaining: Remaining = countdown(Number.POSITIVE_INFINITY)): Promise<number> {
    this.#closed = true;
    this.#failed = 0;
    for (const [name, entry] of await this.#unused()) {
      if (remaining() === 0) break;
      if (this.#entries.get(name) !== entry) continue; // evicted meanwhile
      await atMost(remaining(), this.#close(name, entry));
      await yieldToEventLoop();
    }
    if (remaining() > 0) for (const [name, entry] of [...this.#entries]) void this.#close(name, entry);
    await atMost(remaining(), Promise.all(this.#closing.values()));
    return this.#entries.size + this.#closing.size + this.#failed;
  }

  /** Returns the open files that are not in use, in the order in which `close` closes them. */
  async #unused(): Promise<[string, Entry<T>][]> {
    const [quick, slow]: [[string, Entry<T>][], [string, Entry<T>][]] = [[], []];
    for (const [name, entry] of [...this.#entries].reverse()) {
      if (entry.users > 0) continue;
      const file = await entry.opened.catch(() => undefined);
      (file?.isSlowToClose === true ? slow : quick).push([name, entry]);
    }
    return [...quick, ...slow];
  }

  #newEntry(name: string): Entry<T> {
    return { opened: this.#openAfterClose(name), users: 0, retired: false, whenUnused: [] };
  }

  async #openAfterClose(name: string): Promise<T> {
    await this.#closing.get(name);
    return this.#open(name);
  }

  /** Removes the entry on an error, so that the next use retries: the operator may have repaired the file. */
  async #opened(name: string, entry: Entry<T>): Promise<T> {
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
      this.#failed += 1;
      this.#onCloseError(name, error);
    }
  }
}
