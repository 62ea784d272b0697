/** The text messages of one direction of a WebSocket, read from its bytes (RFC 6455). */
export class Frames {
  #bytes = Buffer.alloc(0);
  #isOpen = false;

  /** @returns the messages that these bytes complete */
  take(chunk: Uint8Array): string[] {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    if (!this.#isOpen) {
      // The HTTP request or response that opens it.
      const end = this.#bytes.indexOf("\r\n\r\n");
      if (end < 0) return [];
      this.#isOpen = true;
      this.#bytes = this.#bytes.subarray(end + 4);
    }
    const messages: string[] = [];
    for (let frame = this.#next(); frame !== undefined; frame = this.#next())
      if (frame.opcode === 1) messages.push(frame.payload.toString());
    return messages;
  }

  #next(): { opcode: number; payload: Buffer } | undefined {
    const bytes = this.#bytes;
    const [first = 0, second = 0] = bytes;
    const short = second & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const maskAt = 2 + lengthBytes;
    const start = maskAt + (second & 0x80 ? 4 : 0);
    if (bytes.length < Math.max(2, start)) return undefined;
    const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
    if (bytes.length < start + length) return undefined;
    const payload = Buffer.from(bytes.subarray(start, start + length));
    if (start > maskAt)
      for (const [at, byte] of payload.entries()) payload[at] = byte ^ (bytes[maskAt + (at % 4)] ?? 0);
    this.#bytes = bytes.subarray(start + length);
    return { opcode: first & 0x0f, payload };
  }
}
