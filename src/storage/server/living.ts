import { sql } from "drizzle-orm";
import { nodes } from "../control.tables.ts";

/** Seconds of the server's clock after which a node without a beat is taken for dead: others do its work. */
export const deadAfter = 15;

const since = sql.raw(`unixepoch() - ${deadAfter}`);

/** The ids of the nodes that live. */
export const living = sql`(select id from ${nodes} where seen_at >= ${since})`;

export const isAlive = sql`${nodes.seen_at} >= ${since}`;

export const isDead = sql`seen_at < ${since}`;
