/** The demo's HTTP client. The demo makes everything through the HTTP API, as any client does. */
import { z } from "zod";

const Created = z.object({ data: z.object({ id: z.string() }) });
const Tokens = z.object({ access_token: z.string() });
export const SignedUp = z.object({
  data: z.object({ user: z.object({ id: z.string() }), organization: z.object({ id: z.string() }), tokens: Tokens }),
});
export const Invited = z.object({ data: z.object({ token: z.string() }) });
export const Claimed = z.object({ data: z.object({ tokens: Tokens }) });
export const NewEndpoint = z.object({ data: z.object({ id: z.string(), secret: z.string() }) });
export const NewKey = z.object({ data: z.object({ token: z.string() }) });
export const Members = z.object({ data: z.array(z.object({ user_id: z.string(), email: z.string() })) });
export const Counters = z.object({ data: z.object({ hobbs: z.string() }) });

export interface Api {
  /** @throws an error with the response's text, unless the status is a success */
  post<T extends z.ZodType>(path: string, answer: T, body?: unknown, token?: string): Promise<z.infer<T>>;
  get<T extends z.ZodType>(path: string, answer: T, token: string): Promise<z.infer<T>>;
  patch(path: string, body: unknown, token: string): Promise<void>;
  importCsv(path: string, csv: string, token: string): Promise<void>;
  /** Sends a POST that creates a resource. @returns its id */
  create(path: string, body: unknown, token: string): Promise<string>;
}

/** @param url the server's */
export function apiAt(url: string): Api {
  async function call<T extends z.ZodType>(
    method: string,
    path: string,
    answer: T,
    sent: { body?: unknown; token?: string | undefined },
  ) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        "content-type": typeof sent.body === "string" ? "text/csv" : "application/json",
        ...(sent.token !== undefined && { authorization: `Bearer ${sent.token}` }),
      },
      ...(sent.body !== undefined && { body: typeof sent.body === "string" ? sent.body : JSON.stringify(sent.body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The demo failed at ${method} ${path}: ${response.status} ${text}`);
    return answer.parse(JSON.parse(text));
  }

  return {
    post: (path, answer, body, token) => call("POST", path, answer, { body, token }),
    get: (path, answer, token) => call("GET", path, answer, { token }),
    patch: async (path, body, token) => void (await call("PATCH", path, z.unknown(), { body, token })),
    importCsv: async (path, csv, token) => void (await call("POST", path, z.unknown(), { body: csv, token })),
    create: async (path, body, token) => (await call("POST", path, Created, { body, token })).data.id,
  };
}
