import { sql } from "drizzle-orm";
import type { Bytes } from "../../core/kept-body.ts";
import { organizations, suspensions } from "../../identity/identity.tables.ts";
import type { Backup } from "../../storage/backup/places.ts";
import type { UnusableTenant } from "../../storage/check/tenant-checks.ts";
import { tenantMarks } from "../../storage/control.tables.ts";
import type { FileSizes } from "../../storage/file-sizes.ts";
import {
  ascending,
  descending,
  type InOrder,
  orderIn,
  type PageRequest,
  pageBody,
  reversed,
} from "../../storage/page.ts";
import type { Reader } from "../../storage/store.ts";
import { mendingCommand } from "./mending-command.ts";
import { copiesIn } from "./school-copies.ts";
import { type KnownFacts, installationSchool as school } from "./schools.shapes.ts";

interface Known {
  files: FileSizes | undefined;
  newest: Backup | null | undefined;
  unusable: readonly UnusableTenant[];
}

const byName = ascending(school, "name", "id");

const orders = {
  "-name": reversed(byName),
  "-members": descending(school, "members", "id"),
  "-bytes": descending(school, "bytes", "id"),
  "-written_at": descending(school, "written_at", "id"),
  backed_up_at: ascending(school, "backed_up_at", "id"),
};

/**
 * Returns a page of all schools as the bytes of JSON text. SQLite sorts them. Opens no file. What is known besides the control database
 * is the first of the join: SQLite has no index of it.
 */
export async function listSchools(
  reader: Reader<"control">,
  known: Known,
  { order, ...page }: PageRequest & InOrder,
): Promise<Bytes> {
  const schools = await reader.select({ id: tenantMarks.org_id }).from(tenantMarks);
  const facts = { ...Object.fromEntries(schools.map(({ id }) => [id, {}])), ...knownFacts(known) };
  return pageBody(reader, school, {
    ...page,
    from: sql`json_each(${JSON.stringify(facts)}) as known
      cross join ${organizations} on ${organizations.id} = known.key
      join ${tenantMarks} on ${tenantMarks.org_id} = ${organizations.id}
      left join ${suspensions} on ${suspensions.org_id} = ${organizations.id}`,
    orderBy: orderIn(byName, orders, order),
  });
}

function knownFacts({ files, newest, unusable }: Known): Record<string, KnownFacts> {
  const facts: Record<string, KnownFacts> = {};
  const add = (id: string, more: KnownFacts) => {
    facts[id] = { ...facts[id], ...more };
  };
  for (const [id, file] of files?.bySchool ?? []) add(id, file);
  for (const [id, { at, fault }] of copiesIn(newest)) add(id, { backed_up_at: at, backup_fault: fault });
  for (const { orgId, since, faults } of unusable)
    add(orgId, { unusable_since: since, faults, command: mendingCommand(orgId, newest) });
  return facts;
}
