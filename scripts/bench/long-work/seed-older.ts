/** A file of an older version with many flights. */
import { join } from "node:path";
import { tenantMigrations } from "../../../migrations/tenant/index.ts";
import type { OrgId } from "../../../src/core/ids.ts";
import { Connection } from "../../../src/storage/connection.ts";
import { migrate } from "../../../src/storage/migrations.ts";
import { tenantPath } from "../../../src/storage/tenant-file.ts";

/** The version before the migration that fills a column of each crew member (`0021_logbooks`). */
const version = 21;

/** Creates `older.db`, which can replace a school's file. @param rows the number of flights, each with a pilot */
export async function seedOlder(directory: string, orgId: OrgId, rows: number): Promise<void> {
  const path = tenantPath(directory, orgId);
  const file = new Connection(join(directory, "older.db"), "write");
  await migrate(file, "tenant", tenantMigrations.slice(0, version), true);
  const at = "'2020-01-01T00:00:00.000Z'";
  const numbers = "with recursive n(i) as (select 1 union all select i + 1 from n where i <";
  for (const statement of [
    `attach '${path}' as present`,
    "insert into meta select * from present.meta",
    `insert into people (id, name, types, ratings, restricted_instructor, created_at, updated_at)
      select 'person' || i, 'Person ' || i, '["pilot"]', '[]', 0, ${at}, ${at} from (${numbers} 1000) select i from n)`,
    `insert into aircraft (id, registration, model, class, billing_basis, status, hobbs, tacho, airframe_minutes,
      opening_hobbs, opening_tacho, opening_airframe_minutes, created_at, updated_at)
      values ('aircraft', 'D-EZZZ', 'Cessna 172S', 'SEP', 'block', 'available', 0, 0, 0, 0, 0, 0, ${at}, ${at})`,
    `insert into flights (id, status, revision, aircraft_id, off_block_at, day_landings, night_landings, night_minutes,
      ifr_minutes, warnings, created_by, created_at, updated_at)
      select 'flight' || i, 'approved', 1, 'aircraft', strftime('%Y-%m-%dT%H:%M:00.000Z', '2010-01-01', '+' || i || ' hours'),
      1, 0, 0, 0, '[]', '', ${at}, ${at} from (${numbers} ${rows}) select i from n)`,
    `insert into flight_crew (flight_id, position, person_id, function)
      select 'flight' || i, 1, 'person' || (i % 1000 + 1), 'pic' from (${numbers} ${rows}) select i from n)`,
    "detach present",
    "pragma wal_checkpoint(truncate)",
  ])
    await file.execute(statement);
  file.close();
}
