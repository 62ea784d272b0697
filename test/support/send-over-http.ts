/** A client that sends a `Request` as it is, and returns what the server sends as it is: `fetch` adds headers, and decompresses. */
import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request as open } from "node:http";

interface Options {
  /** Whether the body is sent with its length. Otherwise it is sent in chunks, as it arrives. */
  isWhole: boolean;
  headers: Record<string, string>;
}

export async function sendOverHttp(port: number, request: Request, options: Options): Promise<Response> {
  const { pathname, search, host } = new URL(request.url);
  const whole = options.isWhole && request.body !== null ? Buffer.from(await request.arrayBuffer()) : undefined;
  const sent = open({
    ...{ host: "127.0.0.1", port, path: pathname + search, method: request.method, agent: false },
    // Otherwise an empty `Host` is replaced.
    setHost: false,
    headers: {
      ...(request.body !== null && lengthOf(request, whole)),
      host,
      ...Object.fromEntries(request.headers),
      ...options.headers,
    },
  });
  const leave = () => void sent.destroy(new Error("The client left."));
  request.signal.addEventListener("abort", leave);
  if (request.signal.aborted) leave();
  const answered = Promise.withResolvers<Response>();
  sent.on("response", (answer: IncomingMessage) => answered.resolve(responseOf(answer, sent)));
  sent.on("error", answered.reject);
  sent.once("close", () => {
    request.signal.removeEventListener("abort", leave);
    answered.reject(new Error("The connection was closed without a response."));
  });
  if (whole || request.body === null) sent.end(whole);
  else {
    // Otherwise they wait for the first piece of the body.
    sent.flushHeaders();
    void sendBody(request.body, sent);
  }
  return answered.promise;
}

function lengthOf(request: Request, whole: Buffer | undefined): Record<string, string> {
  if (whole) return { "content-length": String(whole.length) };
  return request.headers.has("content-length") ? {} : { "transfer-encoding": "chunked" };
}

async function sendBody(body: ReadableStream<Uint8Array>, sent: ClientRequest): Promise<void> {
  const reader = body.getReader();
  const closed = once(sent, "close").then(() => reader.cancel());
  closed.catch(() => undefined); // of a body that has failed
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!sent.write(value)) await Promise.race([once(sent, "drain"), closed]);
    }
    sent.end();
  } catch {
    sent.destroy(new Error("The body failed."));
  }
}

/** These have no body. */
const bodiless = [204, 304];

function responseOf(answer: IncomingMessage, sent: ClientRequest): Response {
  const headers = new Headers();
  const { rawHeaders, statusCode: status = 0 } = answer;
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  if (!bodiless.includes(status)) return new Response(bodyOf(answer, sent), { status, headers });
  answer.resume();
  return new Response(null, { status, headers });
}

const bodyOf = (answer: IncomingMessage, sent: ClientRequest) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      let isOver = false;
      const end = (how: () => void) => () => {
        if (!isOver) how();
        isOver = true;
      };
      answer.on("data", (bytes: Buffer) => {
        if (isOver) return;
        controller.enqueue(new Uint8Array(bytes));
        if ((controller.desiredSize ?? 0) <= 0) answer.pause();
      });
      answer.on(
        "end",
        end(() => controller.close()),
      );
      const cut = end(() => controller.error(new Error("The connection was closed before the body had ended.")));
      answer.on("error", cut);
      answer.on("close", cut);
    },
    pull: () => void answer.resume(),
    cancel: () => void sent.destroy(),
  });
