/** Requests to an authority by ACME (RFC 8555): signed, with a nonce each. */
import type { IncomingHttpHeaders } from "node:http";
import { request } from "node:https";
import { z } from "zod";
import program from "../../../package.json" with { type: "json" };
import { seconds } from "../../core/clock.ts";
import type { AccountKey } from "./account-key.ts";
import { AcmeProblem } from "./problem.ts";

const Problem = z.object({ type: z.string().default("unknown"), detail: z.string().default("") });
const Directory = z.object({ newNonce: z.url(), newAccount: z.url(), newOrder: z.url() });

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

interface ClientOptions {
  directory: string;
  /** PEM of the certificate authorities to trust; undefined: the public ones. */
  ca: string | undefined;
  email: string | undefined;
  key: AccountKey;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
}

export interface Acme {
  /** @throws AcmeProblem */
  newOrder(domain: string): Promise<{ url: string; body: string }>;
  /** Sends a signed request. @param payload undefined: it reads. @throws AcmeProblem */
  post(url: string, payload?: unknown): Promise<{ body: string; retryAfter: number | undefined }>;
}

/** Milliseconds. */
const longestRequest = seconds(20);
const longestBody = 256 * 1024;
/** A nonce may have expired. */
const attempts = 4;

/** Signs in to the authority. With a key that it does not know, that creates an account. */
export async function openAcme({ directory, ca, email, key, stopping }: ClientOptions): Promise<Acme> {
  const send = (method: string, url: string, body?: string) => sendTo(url, { method, body, ca, stopping });
  const addresses = Directory.parse(JSON.parse(ok(await send("GET", directory)).body));
  let nonce: string | undefined;

  async function signed(url: string, signer: object, payload: unknown): Promise<Answer> {
    for (let left = attempts; ; left -= 1) {
      nonce ??= nonceOf(ok(await send("HEAD", addresses.newNonce)));
      const body = key.sign({ ...signer, nonce, url }, payload);
      nonce = undefined;
      const answer = await send("POST", url, body);
      nonce = nonceOf(answer);
      if (answer.status < 400) return answer;
      const problem = problemOf(answer);
      if (problem.type !== "urn:ietf:params:acme:error:badNonce" || left <= 1) throw problem;
    }
  }

  const contact = email === undefined ? {} : { contact: [`mailto:${email}`] };
  const account = await signed(addresses.newAccount, { jwk: key.jwk }, { termsOfServiceAgreed: true, ...contact });
  const kid = locationOf(account);
  return {
    async newOrder(domain) {
      const answer = await signed(addresses.newOrder, { kid }, { identifiers: [{ type: "dns", value: domain }] });
      return { url: locationOf(answer), body: answer.body };
    },
    async post(url, payload) {
      const answer = await signed(url, { kid }, payload);
      return { body: answer.body, retryAfter: retryAfterOf(answer) };
    },
  };
}

const nonceOf = ({ headers }: Answer): string | undefined => {
  const nonce = headers["replay-nonce"];
  return typeof nonce === "string" ? nonce : undefined;
};

function locationOf({ headers }: Answer): string {
  if (headers.location === undefined) throw new AcmeProblem("malformed", "An answer of the authority has no address.");
  return headers.location;
}

/** In seconds, or a date. */
function retryAfterOf({ headers }: Answer): number | undefined {
  const text = headers["retry-after"];
  if (text === undefined) return undefined;
  const milliseconds = /^\d+$/.test(text) ? seconds(Number(text)) : Date.parse(text) - Date.parse(headers.date ?? "");
  return Number.isFinite(milliseconds) && milliseconds >= 0 ? milliseconds : undefined;
}

function ok(answer: Answer): Answer {
  if (answer.status >= 400) throw problemOf(answer);
  return answer;
}

function problemOf(answer: Answer): AcmeProblem {
  const { type, detail } = Problem.safeParse(jsonOf(answer.body)).data ?? { type: "unknown", detail: "" };
  return new AcmeProblem(type, detail || `The authority answered ${answer.status}.`, retryAfterOf(answer));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface SendOptions {
  method: string;
  body: string | undefined;
  ca: string | undefined;
  stopping: AbortSignal;
}

function sendTo(url: string, { method, body, ca, stopping }: SendOptions): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(longestRequest)]);
  const req = request(url, {
    method,
    // One connection for each request: on Deno, a reused one sends a POST again (runtime/quirks.ts).
    agent: false,
    signal,
    ...(ca !== undefined && { ca }),
    headers: {
      "user-agent": `windsock/${program.version}`,
      ...(body !== undefined && { "content-type": "application/jose+json", "content-length": Buffer.byteLength(body) }),
    },
  });
  req.on("error", reject);
  req.on("response", (response) => {
    const chunks: Buffer[] = [];
    let length = 0;
    response.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > longestBody) response.destroy(new Error("An answer of the authority is too long."));
      else chunks.push(chunk);
    });
    response.on("error", reject);
    response.on("end", () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      }),
    );
  });
  req.end(body);
  return promise;
}
