/** Who has changed fields of a resource, as the audit log has it. */
import type { Values } from "./merge.ts";
import { isSame } from "./merge.ts";
import { may } from "./permissions.ts";
import { call, organization } from "./session.ts";

/** Returns the names of those who changed fields last. Without the permission nobody is named. */
export async function lastChangers(
  { template, path }: { template: string; path: Values | undefined },
  names: readonly string[],
): Promise<Partial<Record<string, string>>> {
  if (!may("audit:read")) return {};
  const subject_id = String(Object.values(path ?? {}).at(-1) ?? organization.value?.id);
  const isOfSchool = template === "/orgs/{orgId}" || template.startsWith("/orgs/{orgId}/members");
  try {
    const query = { subject_id, limit: 50, ...(isOfSchool && ({ log: "organization" } as const)) };
    const { data } = await call("GET /orgs/{orgId}/audit-log", { query });
    return Object.fromEntries(
      names.flatMap((name) => {
        const entry = data.find(({ before, after }) => after && name in after && !isSame(before?.[name], after[name]));
        return entry?.actor.name ? [[name, entry.actor.name]] : [];
      }),
    );
  } catch {
    // It is not needed to go on.
    return {};
  }
}
