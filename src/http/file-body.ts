/**
 * A file as a request's body. It is not read into memory: the route reads it in pieces, and then calls `arrived`, because the
 * caller may have lost access meanwhile, and a repeat is recognized by the hash of its body.
 */
import { z } from "zod";
import { atMost } from "../core/async.ts";
import { minutes, seconds } from "../core/clock.ts";
import { badRequest, Problem } from "../core/errors.ts";
import type { InOrganization } from "../storage/context.ts";
import { type BodyLimits, withLimits } from "./body-limits.ts";
import { documentedAs } from "./documented-as.ts";
import { checkDeclaredLength, checkMediaType, tooLarge } from "./request-body.ts";

/** Milliseconds that a body may take, and that it may pause. Deno itself has no limit. */
const patience = { whole: minutes(10), pause: seconds(30) };

interface Arrived {
  context: InOrganization;
  /** The response to send, if the request is a repeat. */
  repeated: Response | undefined;
}

export class FileBody {
  readonly #request: Request;
  readonly #limits: Pick<BodyLimits, "bytes" | "mediaTypes">;
  readonly #admit: (hash: string) => Promise<{ granted: unknown; repeated: Response | undefined }>;

  /** @param admit authenticates the request again; `granted` has the context of the gate `session` */
  constructor(
    request: Request,
    limits: Pick<BodyLimits, "bytes" | "mediaTypes">,
    admit: (hash: string) => Promise<{ granted: unknown; repeated: Response | undefined }>,
  ) {
    this.#request = request;
    this.#limits = limits;
    this.#admit = admit;
  }

  /** The length that the client declares; undefined for a chunked body. */
  get declaredBytes(): number | undefined {
    const length = this.#request.headers.get("content-length");
    return length === null ? undefined : Number(length);
  }

  /**
   * Refuses a file by its headers, before it is read.
   *
   * @throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE
   */
  checkHeaders(): void {
    checkDeclaredLength(this.#request, this.#limits);
    checkMediaType(this.#request, this.#limits);
  }

  /**
   * Reads the file. At an error, the rest of the body stays unread.
   *
   * @throws PAYLOAD_TOO_LARGE
   * @throws BAD_REQUEST the connection was closed, the body took too long, or its length is not the declared one
   */
  async *pieces({ whole, pause } = patience): AsyncGenerator<Uint8Array> {
    const reader = this.#request.body?.getReader();
    if (reader === undefined) return;
    const end = performance.now() + whole;
    let bytes = 0;
    try {
      for (;;) {
        const { done, value } = await inTime(reader.read(), Math.min(pause, end - performance.now()));
        if (done) break;
        bytes += value.byteLength;
        if (bytes > this.#limits.bytes) throw tooLarge(this.#limits);
        yield value;
      }
    } finally {
      reader.cancel().catch(() => undefined); // of a connection that is closed already
    }
    if (bytes !== (this.declaredBytes ?? bytes)) throw badRequest("The body has another length than `Content-Length`.");
  }

  /**
   * Call it when the whole file is read.
   *
   * @param hash of the file
   * @throws UNAUTHORIZED, NOT_FOUND the session or the membership has ended; otherwise as of `Idempotency-Key`
   */
  async arrived(hash: string): Promise<Arrived> {
    const { granted, repeated } = await this.#admit(hash);
    // A route has one gate, and routes with files have the gate `session`.
    return { ...(granted as Pick<Arrived, "context">), repeated };
  }
}

async function inTime<T>(reading: Promise<T>, milliseconds: number): Promise<T> {
  const read = reading.catch((cause: unknown) => {
    throw new Problem("BAD_REQUEST", "The body could not be read.", { cause });
  });
  if (!(await atMost(milliseconds, read))) throw badRequest("The body arrives too slowly.");
  return read;
}

/** The body of a route that takes a file. */
export const fileBody = (bytes: number, mediaTypes: readonly string[]) =>
  withLimits(
    { bytes, form: "file", mediaTypes },
    z.instanceof(FileBody).meta({
      description: "The file itself.",
      ...documentedAs({ type: "string", format: "binary", examples: ["%PDF-1.7 …"] }),
    }),
  );
