/** A client of the stream of changes. */
import { afterThisTest } from "../../support/after-test.ts";
import type { SharedInstallation } from "../../support/installation.ts";
import type { Member, School } from "../../support/school.ts";

export interface StreamEvent {
  id: string | undefined;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: each event has other data
  data: any;
}

/** Reads server-sent events. A block without data only moves the position. */
export class EventReader {
  readonly events: StreamEvent[] = [];
  /** The last id that was received: the client's position. */
  revision: string | undefined;
  isEnded = false;
  /** Comments, and blocks that only move the position. */
  beats = 0;
  #waiting: (() => void)[] = [];
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #read = 0;

  constructor(body: ReadableStream<Uint8Array>, after?: string) {
    this.revision = after;
    this.#reader = body.getReader();
    void this.#run();
  }

  async #run(): Promise<void> {
    const decoder = new TextDecoder();
    let text = "";
    try {
      for (;;) {
        const { done, value } = await this.#reader.read();
        if (done) break;
        text += decoder.decode(value, { stream: true });
        const blocks = text.split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) this.#take(block);
        this.#wakeAll();
      }
    } catch {
      // The connection was cut.
    }
    this.isEnded = true;
    this.#wakeAll();
  }

  #take(block: string): void {
    const fields = new Map(
      block.split("\n").map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
      }),
    );
    this.revision = fields.get("id") ?? this.revision;
    const data = fields.get("data");
    if (data === undefined) this.beats += 1;
    else this.events.push({ id: fields.get("id"), event: fields.get("event") ?? "message", data: JSON.parse(data) });
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #more(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    return promise;
  }

  /** Waits until something holds, which an event or a heartbeat may make true. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.isEnded) throw new Error(`The stream has ended. ${JSON.stringify(this.events.slice(-3))}`);
      await this.#more();
    }
  }

  /** Returns the next event. */
  async next(): Promise<StreamEvent> {
    await this.until(() => this.events.length > this.#read);
    const event = this.events[this.#read];
    this.#read += 1;
    if (event === undefined) throw new Error("There is one.");
    return event;
  }

  /** Returns the changes up to one of this record, without it, as `kind id`. */
  async before(kind: string, id: string): Promise<string[]> {
    const found: string[] = [];
    for (;;) {
      const { event, data } = await this.next();
      if (event === "change" && data.kind === kind && data.id === id) return found;
      found.push(event === "change" ? `${data.kind} ${data.id}` : event);
    }
  }

  async ended(): Promise<StreamEvent | undefined> {
    while (!this.isEnded) await this.#more();
    return this.events.at(-1);
  }

  async close(): Promise<void> {
    await this.#reader.cancel();
  }
}

type By = Pick<Member, "orgId" | "token">;

export function ask(
  { app }: Pick<SharedInstallation, "app">,
  { orgId, token }: By,
  { after, query = "", method = "GET" }: { after?: string | undefined; query?: string; method?: string } = {},
): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...(after !== undefined && { "last-event-id": after }) };
  return app.handle(new Request(`http://localhost/orgs/${orgId}/changes${query}`, { method, headers }));
}

/** Opens a stream. The `reset` that it begins with is read, unless it goes on from a revision. */
export async function follow(
  installation: Pick<SharedInstallation, "app">,
  by: By,
  after?: string,
): Promise<EventReader> {
  const response = await ask(installation, by, { after });
  if (response.status !== 200 || response.body === null) throw new Error(`${response.status} ${await response.text()}`);
  const reader = new EventReader(response.body, after);
  afterThisTest(() => reader.close());
  if (after === undefined) await reader.next();
  return reader;
}

/** A change that every member sees, and its id: what should have come before it did, or never comes. */
export async function mark({ owner, orgId }: Pick<School, "owner" | "orgId">): Promise<string> {
  const { status, text } = await owner.patch("", { name: `School ${crypto.randomUUID()}` });
  if (status !== 200) throw new Error(text);
  return orgId;
}
