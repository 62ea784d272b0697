/**
 * Calls operations of the API by their method and path, typed from the document. What any call may meet is handled here, once: a session
 * that ended, a step-up, a rate limit. The request is then sent again, with the same `Idempotency-Key`.
 */
import type { Operations } from "./operations.ts";
import { type Problem, problemOf, Unreachable } from "./problem.ts";

export type OperationName = keyof Operations;
export type Answer<Name extends OperationName> = Operations[Name]["answer"];

/** The organization is that of the session. */
type PathOf<Name extends OperationName> = Omit<Operations[Name]["path"], "orgId">;

/** What a call takes. A part is optional if the operation does without it. */
export type Input<Name extends OperationName> = (keyof PathOf<Name> extends never
  ? { path?: undefined }
  : { path: PathOf<Name> }) &
  (undefined extends Operations[Name]["body"]
    ? { body?: Operations[Name]["body"] }
    : { body: Operations[Name]["body"] }) & { query?: Operations[Name]["query"]; signal?: AbortSignal };

/** An argument that can be left out if no part is required. */
export type InputArgs<Name extends OperationName> =
  Record<never, never> extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>];

/** The parts of an input, as one type for all operations. */
interface AnyInput {
  path?: Readonly<Record<string, string>> | undefined;
  query?: unknown;
  body?: unknown;
  signal?: AbortSignal;
}

export interface ClientDeps {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Returns the access token, renewed if it is about to expire; `undefined` without a session. */
  token(): Promise<string | undefined>;
  /** Returns the token of a session that goes on where one ended; `undefined` if the user gave up, or nobody was signed in. */
  renew(rejected: string | undefined): Promise<string | undefined>;
  /** Asks for the second factor. Returns whether it was shown. */
  stepUp(): Promise<boolean>;
  /** The organization of paths that name one. */
  orgId(): string | undefined;
  wait(milliseconds: number): Promise<void>;
}

/** How often a call waits for its turn, and how many seconds at most. */
const patience = { times: 3, seconds: 15 };

export interface Client {
  /** @throws Problem, Unreachable */
  call<Name extends OperationName>(name: Name, ...args: InputArgs<Name>): Promise<Answer<Name>>;
  /** Returns the response as it is: for files, other forms, and conditional requests. @throws Problem, Unreachable */
  request(name: OperationName, input?: AnyInput, headers?: Record<string, string>): Promise<Response>;
}

export function createClient(deps: ClientDeps): Client {
  const fetched = async (url: string, init: RequestInit): Promise<Response> => {
    try {
      return await deps.fetch(url, init);
    } catch (cause) {
      if (init.signal?.aborted) throw cause;
      throw new Unreachable(cause);
    }
  };

  const request: Client["request"] = async (name, input = {}, headers = {}) => {
    const { method, url } = addressOf(name, input, deps.orgId());
    const body = bodyOf(input.body);
    const fixed = {
      accept: "application/json",
      ...(method === "POST" && { "idempotency-key": randomKey() }),
      ...(body !== undefined && { "content-type": body instanceof Blob ? body.type : "application/json" }),
      ...headers,
    };
    let token = await deps.token();
    for (let waits = 0; ; ) {
      const response = await fetched(url, {
        method,
        headers: { ...fixed, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
        credentials: "same-origin",
        cache: "no-store",
        ...(body !== undefined && { body }),
        ...(input.signal && { signal: input.signal }),
      });
      if (response.ok || response.status === 304) return response;
      const problem = await problemOf(response);
      // Without a token, if another request has met the end of the session before. A sign-in has none either.
      if ((token !== undefined || url.startsWith("/orgs/")) && isSessionOver(problem)) {
        token = await deps.renew(token);
        if (token === undefined) throw problem;
      } else if (problem.code === "STEP_UP_REQUIRED") {
        if (!(await deps.stepUp())) throw problem;
      } else if (problem.code === "RATE_LIMITED" && waits < patience.times && problem.retryAfter <= patience.seconds) {
        waits += 1;
        await deps.wait(problem.retryAfter * 1000);
      } else throw problem;
    }
  };

  return {
    request,
    async call<Name extends OperationName>(name: Name, ...[input]: InputArgs<Name>): Promise<Answer<Name>> {
      const response = await request(name, input as AnyInput | undefined);
      const isJson = response.headers.get("content-type")?.startsWith("application/json");
      if (isJson) return response.json();
      return (response.status === 204 ? undefined : await response.blob()) as Answer<Name>;
    },
  };
}

/** A 401 about another credential than the session has a reason. */
const isSessionOver = ({ status, reason }: Problem): boolean => status === 401 && reason === undefined;

function bodyOf(body: unknown): string | Blob | undefined {
  return body === undefined || body instanceof Blob ? body : JSON.stringify(body);
}

/** @throws a parameter of the path is missing */
export function addressOf(
  name: OperationName,
  { path = {}, query = {} }: Pick<AnyInput, "path" | "query">,
  orgId?: string,
): { method: string; url: string } {
  const [method = "", template = ""] = name.split(" ");
  const url = template.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = path[parameter] ?? (parameter === "orgId" ? orgId : undefined);
    if (value === undefined) throw new Error(`${name} needs ${parameter}.`);
    // A browser takes `..` for the path above, encoded or not: a link could name another operation. So it is encoded twice.
    return encodeURIComponent(/^\.{1,2}$/.test(value) ? value.replaceAll(".", "%2E") : value);
  });
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query as Record<string, unknown>))
    for (const one of [value].flat()) if (one !== undefined && one !== "") search.append(key, String(one));
  return { method, url: search.size > 0 ? `${url}?${search}` : url };
}

/** 128 random bits. Browsers have `randomUUID` on secure origins only. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
