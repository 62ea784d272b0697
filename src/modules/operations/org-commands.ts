/** The commands of the command line for organizations. */
import { z } from "zod";
import { days, type Instant, shift } from "../../core/clock.ts";
import type { OrgId } from "../../core/ids.ts";
import { email, idOf, instantOut, text } from "../../http/fields.ts";
import { organizationKinds } from "../../identity/identity.tables.ts";
import { schoolStates } from "../../identity/suspensions.queries.ts";
import { createOrganization } from "../organizations/operator/create-organization.ts";
import { listOrganizations } from "../organizations/operator/list-organizations.queries.ts";
import {
  type Done,
  planRemoval,
  resumeOrganization,
  suspendOrganization,
} from "../organizations/operator/suspend-organization.ts";
import { tellOwners } from "../organizations/operator/tell-owners.ts";
import { NewOrganization, settings } from "../organizations/organizations.schemas.ts";
import { updateOrganization } from "../organizations/update-organization.ts";
import { define, type OperatorDeps } from "./command.ts";
import { copiesIn } from "./school-copies.ts";

const org = idOf<"organization">();
const reason = text(500);

const Listed = z.strictObject({
  id: org,
  name: z.string(),
  kind: z.enum(organizationKinds),
  /** `removal_planned`: suspended until `removal_at`. */
  state: z.enum(schoolStates),
  suspended_at: instantOut.nullable(),
  reason: z.string().nullable(),
  removal_at: instantOut.nullable(),
  /** E-mail addresses. */
  owners: z.array(z.string()),
  members: z.int(),
  /** Of the file with its journal. Null: there is none. */
  bytes: z.int().nullable(),
  /** When the file was last written to. */
  written_at: instantOut.nullable(),
  /** The number of migrations that it has. Null: unknown. */
  schema_version: z.int().nullable(),
  /** The time of its newest copy in the newest backup in `WINDSOCK_BACKUP_DIR`. Null: there is none. */
  backed_up_at: z.string().nullable(),
  /** Why its file can't be used, as far as a use since the start has shown it. */
  file_fault: z.string().nullable(),
});
export type Listed = z.infer<typeof Listed>;

/** `windsock org list [--json]` */
export const orgList = define({
  name: "org-list",
  args: z.strictObject({}),
  result: z.strictObject({ organizations: z.array(Listed) }),
  async run({ control }, { storage, backupPlace }) {
    const organizations = await control.read(listOrganizations);
    const { bySchool: files } = await storage.fileSizes();
    const backup = backupPlace === undefined ? undefined : await storage.backups.newest(backupPlace);
    const copies = copiesIn(backup);
    const faults = new Map(
      storage.tenants.unusable().map(({ orgId, faults: [first = "it can't be opened"] }) => [orgId, first]),
    );
    return {
      organizations: organizations.map(({ schema_version, ...one }) => ({
        ...one,
        schema_version: schema_version || null,
        bytes: files.get(one.id)?.bytes ?? null,
        written_at: files.get(one.id)?.written_at ?? null,
        backed_up_at: copies.get(one.id)?.at ?? null,
        file_fault: faults.get(one.id) ?? null,
      })),
    };
  },
});

/** Applies the change to the organization's file. @returns whether it is there: the job `intents` tries again if it is not */
const applied = ({ intents }: OperatorDeps, orgId: OrgId): Promise<boolean> =>
  intents.apply(orgId).then(
    () => true,
    () => false,
  );

/** `windsock org create NAME --owner EMAIL [--kind KIND] [--time-zone ZONE]` */
export const orgCreate = define({
  name: "org-create",
  args: z.strictObject({
    owner: email,
    name: settings.name,
    kind: settings.kind,
    time_zone: settings.time_zone.in,
  }),
  result: z.strictObject({ organization_id: org, name: z.string(), link: z.string().nullable() }),
  async run(context, { storage: { tenants }, mailer, publicUrl, linkUrl }, { owner, ...given }) {
    const deps = { ...context, tenants, mailer, publicUrl, linkUrl };
    const organization = NewOrganization.parse(given);
    const { organizationId, link } = await createOrganization(deps, { owner, organization });
    return { organization_id: organizationId, name: organization.name, link };
  },
});

/** `windsock org rename ID NAME` */
export const orgRename = define({
  name: "org-rename",
  args: z.strictObject({ id: org, name: settings.name }),
  result: z.strictObject({ name: z.string(), applied: z.boolean() }),
  async run(context, deps, { id, name }) {
    let isApplied = true;
    const applyIntents = async () => {
      isApplied = await applied(deps, id);
    };
    const tenant = deps.storage.tenants.tenant(id);
    const { value } = await updateOrganization({ ...context, tenant, applyIntents }, { name });
    return { name: value.name, applied: isApplied };
  },
});

const Suspended = z.strictObject({
  /** Whether the command changed anything. */
  changed: z.boolean(),
  name: z.string(),
  /** The e-mail addresses of the owners with enabled accounts. */
  owners: z.array(z.string()),
  /** How many of them were mailed. */
  mailed: z.int(),
  /** Whether the organization's file has the change. */
  applied: z.boolean(),
});

interface Telling {
  about: "suspended" | "resumed";
  reason?: string | undefined;
  removalAt?: Instant | undefined;
}

async function finish(deps: OperatorDeps, orgId: OrgId, { changed, name, owners }: Done, telling: Telling) {
  const isApplied = await applied(deps, orgId);
  const { mailer, publicUrl } = deps;
  const told = { organization: name, publicUrl, reason: undefined, removalAt: undefined, ...telling };
  const mailed = changed ? await tellOwners(mailer, owners, told) : 0;
  return { changed, name, owners: owners.map(({ email }) => email), mailed, applied: isApplied };
}

/** `windsock org suspend ID --reason TEXT` */
export const orgSuspend = define({
  name: "org-suspend",
  args: z.strictObject({ id: org, reason }),
  result: Suspended,
  run: async (context, deps, { id, reason }) =>
    finish(deps, id, await suspendOrganization(context, { orgId: id, reason }), { about: "suspended", reason }),
});

/** `windsock org resume ID` */
export const orgResume = define({
  name: "org-resume",
  args: z.strictObject({ id: org }),
  result: Suspended,
  run: async (context, deps, { id }) =>
    finish(deps, id, await resumeOrganization(context, { orgId: id }), { about: "resumed" }),
});

const graceDays = z
  .string()
  .regex(/^\d{1,4}d$/, "Must be a number of days with a d, such as 30d.")
  .transform((text) => Number(text.slice(0, -1)));

/** `windsock org delete ID --confirm NAME [--grace 30d] [--reason TEXT] [--without-backup]` */
export const orgDelete = define({
  name: "org-delete",
  args: z.strictObject({
    id: org,
    confirm: z.string(),
    grace: graceDays,
    reason: reason.optional(),
    "without-backup": z.boolean(),
  }),
  result: Suspended.extend({ removal_at: instantOut }),
  async run(context, deps, { id, confirm, grace, reason, "without-backup": without_backup }) {
    const removal_at = shift(context.clock.now(), days(grace));
    const done = await planRemoval(context, { orgId: id, confirm, reason, removal_at, without_backup });
    const telling = { about: "suspended", reason, removalAt: removal_at } as const;
    return { ...(await finish(deps, id, done, telling)), removal_at };
  },
});
