import { sql } from "drizzle-orm";
import type { OrgId } from "../../core/ids.ts";
import type { Commits } from "../commits.ts";
import { auditLog, tenantActivity } from "../control.tables.ts";
import type { Control, Reader } from "../store.ts";
import type { TenantStore } from "../tenant-store.ts";

const { placeholder } = sql;

const last = sql<[number]>`select coalesce(max(seq), 0) from audit_log`;

/** Of the control database, by organization: null for the installation's own. */
const after = sql<
  [OrgId | null]
>`select distinct ${auditLog.org_id} from ${auditLog} where ${auditLog.seq} > ${placeholder("seq")}`;

const activeElsewhere = sql<[OrgId]>`select distinct ${tenantActivity.org_id} from ${tenantActivity}
  where ${tenantActivity.node_id} <> ${placeholder("node")}`;

interface Options {
  control: Control;
  tenants: Pick<TenantStore, "tenant">;
  commits: Commits;
  /** This node's id. */
  node: string;
}

/**
 * Tells the listeners of this process what other nodes commit: by asking, about once a second, and only of organizations that
 * somebody listens to. Before a node's first write, it has a row in `tenant_activity`, so the others ask no namespace without one.
 */
export class CommitsElsewhere {
  readonly #options: Options;
  /** The last row of each log that was seen. */
  readonly #seen = new Map<OrgId, number>();
  #seenInControl: number | undefined;
  /** A node's row goes when it has settled: what it wrote last is seen once more. */
  #active: ReadonlySet<OrgId> = new Set();

  constructor(options: Options) {
    this.#options = options;
  }

  async look(): Promise<void> {
    const { control, commits, node } = this.#options;
    const watched = commits.watched();
    for (const id of this.#seen.keys()) if (!watched.has(id)) this.#seen.delete(id);
    if (watched.size === 0) {
      this.#seenInControl = undefined;
      return;
    }
    const [present, active] = await control.read((reader) =>
      Promise.all([this.#newInControl(reader), reader.rows(activeElsewhere, { node })]),
    );
    for (const orgId of present) if (orgId === undefined || watched.has(orgId)) commits.tell({ orgId });
    const before = this.#active;
    this.#active = new Set(active.map(([id]) => id));
    const asked = [...watched].filter((id) => !this.#seen.has(id) || this.#active.has(id) || before.has(id));
    await Promise.all(asked.map((id) => this.#lookAt(id)));
  }

  async #newInControl(reader: Reader<"control">): Promise<(OrgId | undefined)[]> {
    const seen = this.#seenInControl;
    const [found, changed] = await Promise.all([
      reader.rows(last, {}),
      seen === undefined ? [] : reader.rows(after, { seq: seen }),
    ]);
    this.#seenInControl = found[0]?.[0] ?? 0;
    // What came before the first look may not have been told.
    if (seen === undefined) return [undefined];
    return changed.map(([orgId]) => orgId ?? undefined);
  }

  async #lookAt(id: OrgId): Promise<void> {
    const { tenants, commits } = this.#options;
    const [row] = await tenants.tenant(id).read((reader) => reader.rows(last, {}));
    const seq = row?.[0] ?? 0;
    if (this.#seen.get(id) === seq) return;
    this.#seen.set(id, seq);
    commits.tell({ orgId: id });
  }
}
