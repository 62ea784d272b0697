import { sql } from "drizzle-orm";
import { touchRows } from "../../storage/changes.ts";
import type { Dependents } from "../../storage/dependents.ts";
import type { Tx } from "../../storage/store.ts";
import { planningResources, planningSessions } from "./planning.tables.ts";
import { sessionEntity } from "./sessions/sessions.queries.ts";

/** Sessions show the names of what they take up. */
export const touchSessionsOf = (tx: Tx<"tenant">, resourceId: string): Promise<void> =>
  touchRows(
    tx,
    sessionEntity,
    sql`${planningSessions.id} in (select ${planningResources.session_id} from ${planningResources}
      where ${planningResources.resource_id} = ${resourceId})`,
  );

export const planningDependents: Dependents = { person: touchSessionsOf, aircraft: touchSessionsOf };
