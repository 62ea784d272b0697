import type { Control, Kind, Store, Tenant } from "../storage/store.ts";

/** What writes to databases. */
export interface Writing {
  readonly control: Control;
  readonly tenant?: Tenant;
}

/** Returns the context, with databases whose writes are those of `writeTo`. */
export function withWrites<C extends Writing>(
  context: C,
  writeTo: <K extends Kind>(store: Store<K>) => Store<K>["write"],
): C {
  const { control, tenant } = context;
  return {
    ...context,
    control: {
      read: (query) => control.read(query),
      write: writeTo(control),
      changes: control.changes,
    } satisfies Control,
    ...(tenant && {
      tenant: {
        read: (query) => tenant.read(query),
        write: writeTo(tenant),
        id: tenant.id,
        dataKey: () => tenant.dataKey(),
        readBody: (question, query) => tenant.readBody(question, query),
      } satisfies Tenant,
    }),
  };
}
