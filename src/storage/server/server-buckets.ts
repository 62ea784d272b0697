import { sql } from "drizzle-orm";
import { hmac, type KeyRing } from "../../core/crypto.ts";
import type { BucketSize, RateBuckets } from "../../core/rate-buckets.ts";
import { rateBuckets } from "../control.tables.ts";
import { fromEngine } from "./engine-error.ts";
import { resultIn } from "./migrate-namespace.ts";
import { serverStatement } from "./server-database.ts";
import type { Session } from "./session.ts";

const { placeholder } = sql;

/** What is left now. The clock may have been set back: then nothing has leaked. */
const left = sql`max(0.0, level - (${placeholder("now")} - min(at, ${placeholder("now")})) / ${placeholder("interval")})`;

/** A tolerance for rounding, far below one attempt. */
const fits = sql`(${left} + 1 <= ${placeholder("limit")} + 1e-9)`;

/** One statement, so two nodes can't both take the last attempt. */
const taken = sql`insert into ${rateBuckets} (id, level, at, empty_at, allowed)
  values (${placeholder("id")}, 1.0, ${placeholder("now")}, ${placeholder("now")} + ${placeholder("interval")}, 1)
  on conflict (id) do update set level = ${left} + ${fits}, at = ${placeholder("now")},
    empty_at = ${placeholder("now")} + (${left} + ${fits}) * ${placeholder("interval")}, allowed = ${fits}
  returning level, allowed`;

const forgotten = sql`delete from ${rateBuckets} where id = ${placeholder("id")}`;

const emptied = sql`delete from ${rateBuckets} where empty_at < ${placeholder("now")}`;

/** Attempts counted in the control database: one trip each, without a transaction of its own. */
export class ServerBuckets implements RateBuckets {
  readonly #session: Session;
  readonly #key: Buffer;

  constructor(session: Session, keys: KeyRing) {
    this.#session = session;
    this.#key = keys.key("rate-buckets");
  }

  async take(key: string, { limit, windowSeconds }: BucketSize, now: Date) {
    const interval = (windowSeconds * 1000) / limit;
    const values = { id: this.#idOf(key), now: now.getTime(), interval, limit };
    const { rows } = await this.#run(serverStatement(taken, values));
    return { level: Number(rows[0]?.[0]), allowed: rows[0]?.[1] === 1 };
  }

  async forget(key: string): Promise<void> {
    await this.#run(serverStatement(forgotten, { id: this.#idOf(key) }));
  }

  /** Removes the buckets that are empty. */
  async removeEmpty(now: Date): Promise<void> {
    await this.#run(serverStatement(emptied, { now: now.getTime() }));
  }

  #idOf(key: string): string {
    return hmac(this.#key, key).toString("hex");
  }

  async #run(statement: ReturnType<typeof serverStatement>) {
    try {
      return resultIn((await this.#session.read([statement]))[0]);
    } catch (error) {
      throw fromEngine(error, "control");
    }
  }
}
