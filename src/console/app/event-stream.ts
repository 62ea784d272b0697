/** Reads server-sent events (WHATWG HTML, 9.2) of a response: `EventSource` sends no token. */

export interface ServerEvent {
  name: string;
  data: string;
}

/** Milliseconds of silence after which a connection is lost. The server gives a sign of life every 5 s. */
const longestSilence = 20_000;

/**
 * @param onId called with each id: where to go on from
 * @throws the connection was cut, or is silent
 */
export async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  onId: (id: string) => void,
): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await beforeSilence(reader.read());
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const fields = fieldsOf(block);
        const [id, data] = [fields.get("id"), fields.get("data")];
        if (data !== undefined) yield { name: fields.get("event") ?? "message", data };
        // After the event was taken: who is cut while taking it gets it again.
        if (id !== undefined) onId(id);
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Our server writes each field in one line. */
function fieldsOf(block: string): ReadonlyMap<string, string> {
  const lines = block.split("\n").map((line) => [line.indexOf(":"), line] as const);
  return new Map(lines.map(([colon, line]) => [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")]));
}

async function beforeSilence<Value>(read: Promise<Value>): Promise<Value> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("The connection is silent.")), longestSilence);
  try {
    return await Promise.race([read, silence]);
  } finally {
    clearTimeout(timer);
  }
}
