/** How far the copies of a backup or a restore are: files, and bytes of the one that is being written, too. */
import { stat } from "node:fs/promises";
import type { OnProgress } from "../../core/progress.ts";

/** Milliseconds after which the size of a copy is looked at again: SQLite makes one in a single call. */
const interval = 500;

interface Copy {
  /** What the operator knows the file by. */
  name: string;
  /** The size that it is expected to have at the end. */
  bytes: number;
  /** Where it is written. */
  to: string;
}

export class CopyProgress {
  readonly #onProgress: OnProgress;
  #done = 0;
  #total = 0;
  readonly #bytes = { done: 0, total: 0 };

  constructor(onProgress: OnProgress = () => undefined) {
    this.#onProgress = onProgress;
  }

  /** More files will be copied. */
  expect(files: readonly { bytes: number }[]): void {
    this.#total += files.length;
    for (const { bytes } of files) this.#bytes.total += bytes;
  }

  /** A file need not be copied, or has been. */
  finished({ bytes }: { bytes: number }): void {
    this.#done += 1;
    this.#bytes.done += bytes;
  }

  /** Tells how far the copy of a file is, again and again until its work ends. The work says which table it reads. */
  async follow<T>({ name, bytes, to }: Copy, work: (onTable: (table: string) => void) => Promise<T>): Promise<T> {
    let table = "";
    const tell = async () => {
      const written = await stat(to).then(({ size }) => Math.min(size, bytes), nothing);
      this.#onProgress({
        ...{ done: this.#done, total: this.#total },
        bytes: { ...this.#bytes, done: this.#bytes.done + written },
        step: table === "" ? `copying ${name}` : `checking ${name} (${table})`,
      });
    };
    await tell();
    const timer = setInterval(() => void tell(), interval);
    try {
      return await work((read) => {
        table = read;
      });
    } finally {
      clearInterval(timer);
    }
  }
}

const nothing = () => 0;
