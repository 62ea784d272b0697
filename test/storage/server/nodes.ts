/** Several nodes on one server. */
import { sql } from "drizzle-orm";
import type { StoreSettings } from "../../../src/storage/server/store-settings.ts";
import type { Sqld } from "../../support/sqld.ts";
import { newStorage, type TestStorage } from "../storages.ts";
import { secret } from "./servers.ts";

type Options = Parameters<typeof newStorage>[0];

/** A node with a data directory of its own. */
export const newNode = (
  sqld: Sqld,
  { settings, ...options }: Options & { settings?: Partial<StoreSettings> } = {},
): Promise<TestStorage> =>
  newStorage({ server: { ...sqld.settings(), ...settings }, secret: Buffer.from(secret), ...options });

/** Lets the server's clock pass by far more than a living node is silent. All nodes that have not beaten since are then dead. */
export const letAllBeSilent = ({ control }: TestStorage) =>
  control.write((tx) => tx.run(sql`update nodes set seen_at = seen_at - 60`));

export async function beat(node: TestStorage): Promise<void> {
  node.clock.advance(6_000);
  await node.checkpointIdle();
}

/** The others are then dead. */
export async function outlive(node: TestStorage): Promise<void> {
  await letAllBeSilent(node);
  await beat(node);
}
