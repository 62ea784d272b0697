import { sql } from "drizzle-orm";
import { type Clock, type Instant, latestPlanned } from "../../core/clock.ts";
import { leases } from "../control.tables.ts";
import type { Lease, Leases } from "../leases.ts";
import type { StorageLog } from "../storage-log.ts";
import { fromEngine } from "./engine-error.ts";
import { living } from "./living.ts";
import { resultIn } from "./migrate-namespace.ts";
import type { Node } from "./node.ts";
import { serverStatement } from "./server-database.ts";
import type { Session } from "./session.ts";

const { placeholder } = sql;

/**
 * One statement. A node may take what it has: the answer to its first try can be lost. A tick far ahead was stored by a clock that was
 * wrong.
 */
const taken = sql`insert into ${leases} (name, node_id, held, tick)
  values (${placeholder("name")}, ${placeholder("node")}, 1, ${placeholder("tick")})
  on conflict (name) do update set node_id = excluded.node_id, held = 1, tick = coalesce(excluded.tick, ${leases.tick})
  where (not ${leases.held} or ${leases.node_id} = excluded.node_id or ${leases.node_id} not in ${living})
    and (excluded.tick is null or ${leases.tick} is null or excluded.tick > ${leases.tick}
      or (excluded.tick = ${leases.tick} and ${leases.node_id} = excluded.node_id)
      or ${leases.tick} > ${placeholder("latest")})`;

const ours = sql`from ${leases} where name = ${placeholder("name")} and node_id = ${placeholder("node")} and held`;
const held = sql`select 1 ${ours}`;
const released = sql`update ${leases} set held = 0 where name = ${placeholder("name")} and node_id = ${placeholder("node")}`;

interface Options {
  session: Session;
  node: Node;
  clock: Clock;
  log: StorageLog;
}

/** Leases in the control database. They end with the node's beats, so that a long job need not renew its own. */
export class ServerLeases implements Leases {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  async take(name: string, tick?: Instant): Promise<Lease | undefined> {
    const { node, clock, log } = this.#options;
    const values = { name, node: node.id };
    try {
      await node.beSeen();
      const latest = latestPlanned(clock.now(), 0);
      const { changes } = await this.#run(taken, { ...values, tick: tick ?? null, latest });
      if (changes === 0) return undefined;
    } catch (error) {
      throw fromEngine(error, "control");
    }
    return {
      isHeld: async () => (await this.#run(held, values)).rows.length > 0,
      release: async () => {
        await this.#run(released, values).catch((err: unknown) =>
          log.error(
            { lease: name, err },
            "A lease could not be ended. Other nodes wait until this one takes it again, or ends.",
          ),
        );
      },
    };
  }

  async #run(statement: typeof taken, values: Parameters<typeof serverStatement>[1]) {
    return resultIn((await this.#options.session.read([serverStatement(statement, values)]))[0]);
  }
}
