/** A list of the public API without pages: behind an API key, kept in memory until the organization is written to. */

import { Elysia } from "elysia";
import { z } from "zod";
import { type LegalDate, toLegalDate } from "../core/dates.ts";
import type { Bytes } from "../core/kept-body.ts";
import type { Scope } from "../core/scopes.ts";
import type { Reader } from "../storage/store.ts";
import type { Http } from "./http.ts";
import { jsonText } from "./json-text.ts";
import { data, responses } from "./responses.ts";
import type { RoutePlugin } from "./route.ts";

interface PublicCollection<Query extends z.ZodObject> {
  /** Below `/api/v1/public`: `fleet`. */
  path: string;
  scope: Scope;
  query: Query;
  item: z.ZodType;
  /** Of a body that depends on the date, too: returns today's. Other bodies depend on the query and the database alone. */
  dateOf?(reader: Reader<"tenant">, now: Date): Promise<Temporal.PlainDate>;
  /** Returns the body as JSON text. @param date as `dateOf` */
  read(reader: Reader<"tenant">, query: z.output<Query>, date: LegalDate): Promise<string | Bytes>;
  summary: string;
  description: string;
}

const epoch = Temporal.PlainDate.from("1970-01-01");
const always = async () => epoch;

/** `GET /api/v1/public/{path}` */
export const publicCollection = <Query extends z.ZodObject>(
  { apiKey }: Http,
  { path, scope, query: Query, item, dateOf = always, read, summary, description }: PublicCollection<Query>,
): RoutePlugin =>
  new Elysia({ name: `public ${path}`, prefix: `/api/v1/public/${path}`, tags: ["Public API"] }).use(apiKey(scope)).get(
    "/",
    async ({ context: { tenant, clock }, query }) => {
      const date = toLegalDate(await tenant.read((reader) => dateOf(reader, clock.now())));
      const question = `public ${path} ${date} ${JSON.stringify(query)}`;
      // Elysia hands over what this very schema has read; its types can't follow that through a type parameter.
      return jsonText(await tenant.readBody(question, (reader) => read(reader, query as z.output<Query>, date)));
    },
    {
      query: Query,
      response: responses({ 200: data(z.array(item)) }, 400, 401),
      detail: { summary, description },
    },
  );
