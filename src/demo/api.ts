/** The demo's HTTP client. The demo makes everything through the HTTP API, as any client does. */
import { z } from "zod";
import { type Clock, minutes, seconds } from "../core/clock.ts";

const Created = z.object({ data: z.object({ id: z.string() }) });
export const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
  refresh_expires_in: z.number(),
});
type Tokens = z.infer<typeof Tokens>;

/** Who sends a request. */
export interface Session {
  /** Returns the newest access token. */
  bearer(): Promise<string>;
}

export interface Login {
  email: string;
  password: string;
}

export interface Api {
  /** @throws an error with the response's text, unless the status is a success */
  post<T extends z.ZodType>(path: string, answer: T, body?: unknown, by?: Session): Promise<z.infer<T>>;
  get<T extends z.ZodType>(path: string, answer: T, by: Session): Promise<z.infer<T>>;
  patch(path: string, body: unknown, by: Session): Promise<void>;
  importCsv(path: string, lines: readonly (readonly unknown[])[], by: Session): Promise<void>;
  /** Sends a POST that creates a resource. @returns its id */
  create(path: string, body: unknown, by: Session): Promise<string>;
  /** Sends a POST without a body that changes something. */
  act(path: string, by: Session): Promise<void>;
  /** Returns the session of these tokens. It gets the next ones when they expire, and signs in again after a month. */
  session(tokens: Tokens, login: Login): Session;
}

/** @param url the server's */
export function apiAt(url: string, clock: Clock): Api {
  async function call<T extends z.ZodType>(
    method: string,
    path: string,
    answer: T,
    sent: { body?: unknown; by?: Session | undefined },
  ) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        "content-type": typeof sent.body === "string" ? "text/csv" : "application/json",
        ...(sent.by && { authorization: `Bearer ${await sent.by.bearer()}` }),
      },
      ...(sent.body !== undefined && { body: typeof sent.body === "string" ? sent.body : JSON.stringify(sent.body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The demo failed at ${method} ${path}: ${response.status} ${text}`);
    return answer.parse(JSON.parse(text));
  }

  const held = (tokens: Tokens) => ({ ...tokens, at: clock.now().getTime() });
  const isOver = (at: number, lasting: number) => clock.now().getTime() > at + seconds(lasting) - minutes(1);

  const api: Api = {
    post: (path, answer, body, by) => call("POST", path, answer, { body, by }),
    get: (path, answer, by) => call("GET", path, answer, { by }),
    patch: async (path, body, by) => void (await call("PATCH", path, z.unknown(), { body, by })),
    importCsv: async (path, lines, by) =>
      void (await call("POST", path, z.unknown(), { body: lines.map(csvLine).join("\n"), by })),
    create: async (path, body, by) => (await call("POST", path, Created, { body, by })).data.id,
    act: async (path, by) => void (await call("POST", path, z.unknown(), { by })),
    session(first, login) {
      let current = Promise.resolve(held(first));
      return {
        bearer() {
          // One after the other: a refresh token is used once.
          current = current.then(async (tokens) => {
            const { at, expires_in, refresh_token, refresh_expires_in } = tokens;
            if (!isOver(at, expires_in)) return tokens;
            const isIdle = isOver(at, refresh_expires_in);
            return held(
              await (isIdle
                ? api.post("/auth/login", Tokens, login)
                : api.post("/auth/refresh", Tokens, { refresh_token })),
            );
          });
          return current.then(({ access_token }) => access_token);
        },
      };
    },
  };
  return api;
}

const csvLine = (cells: readonly unknown[]) =>
  cells.map((cell) => (cell === null || cell === undefined ? "" : `"${String(cell).replaceAll('"', '""')}"`)).join();

/** Calls `work` for each item, a few at a time, as several desks do. */
export async function atDesks<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items];
  const desk = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 4 }, desk));
}
