/** Reads a stream of bytes in the pieces that its format has. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#source = pieces[Symbol.asyncIterator]();
  }

  /** Returns the next bytes; fewer at the end. @param count few enough for memory */
  async take(count: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.stream(count)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** Yields the next bytes in pieces as they arrive; fewer at the end. */
  async *stream(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0 && !(await this.#more())) return;
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  async isAtEnd(): Promise<boolean> {
    return this.#rest.length === 0 && !(await this.#more());
  }

  /** Closes the source, which may have more. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  async #more(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#source.next();
      if (done === true) return false;
      this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
    return true;
  }
}
