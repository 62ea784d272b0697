import type { Tenant, Tx } from "./store.ts";

/** Returns a tenant whose writes begin with these, at once: on a server, what they read is one trip. */
export const beginningWith = (
  tenant: Tenant,
  beginnings: readonly ((tx: Tx<"tenant">) => Promise<void>)[],
): Tenant => ({
  ...tenant,
  write: (body) =>
    tenant.write(async (tx) => {
      await Promise.all(beginnings.map((begin) => begin(tx)));
      return body(tx);
    }),
});
