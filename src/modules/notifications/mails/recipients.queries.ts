/** Who gets a mail, and at which address. */
import { and, eq } from "drizzle-orm";
import type { OrgId, UserId } from "../../../core/ids.ts";
import type { Language } from "../../../core/languages.ts";
import type { Permission } from "../../../core/permissions.ts";
import { memberships, users } from "../../../identity/identity.tables.ts";
import { permissionsOf } from "../../../identity/roles.ts";
import type { TenantContext } from "../../../storage/context.ts";
import type { Reader } from "../../../storage/store.ts";
import { invoiceAddress } from "../../finance/customers/customers.queries.ts";
import { languageOf } from "../../finance/customers/language.queries.ts";
import type { MailRow } from "../../mails/mails.queries.ts";
import type { MailKind } from "../../mails/mails.values.ts";
import type { PersonRow } from "../../people/person-rules.ts";
import { preferencesOf } from "../preferences/preferences.queries.ts";

/** The permissions, all of which a member needs to get mails about others. */
export const permissionsFor: Record<MailKind, readonly [Permission, ...Permission[]]> = {
  medical_expiring: ["compliance:manage", "medicals:read"],
  compliance_expiring: ["compliance:manage"],
  maintenance_alert: ["maintenance:manage"],
  planning: ["planning:manage"],
  invoice: ["finance:manage"],
};

export interface Recipient {
  address: string;
  /** Whether the address is a member's, who can switch mails off. */
  isMember: boolean;
  /** Of the account; without one of the person, or else of the school. */
  language: Language;
}

/** A member who would get the mail, if they had verified their address. */
export type Unverified = "unverified";

/** Returns who gets the mail; undefined if nobody does. @param person whose record it is */
export function recipientOf(
  context: TenantContext,
  row: MailRow,
  person: PersonRow | undefined,
): Promise<Recipient | Unverified | undefined> {
  return row.user_id === null
    ? personRecipient(context, row, person)
    : memberRecipient(context, { kind: row.kind, userId: row.user_id }, person);
}

/**
 * The linked account, as long as it is a member. If the account never proved its address, or there is none, the address
 * that the school entered.
 */
async function personRecipient(
  context: TenantContext,
  { kind }: Pick<MailRow, "kind">,
  person: PersonRow | undefined,
): Promise<Recipient | undefined> {
  const { tenant } = context;
  if (person?.receives_mails !== true) return undefined;
  const account = person.user_id === null ? undefined : await accountOf(context, person.user_id);
  if (account?.disabled_at) return undefined;
  if (account && !(await wants(context, account.id, kind))) return undefined;
  const language = account?.language ?? (await tenant.read((reader) => languageOf(reader, person.id)));
  const stated = kind === "invoice" && (await tenant.read((reader) => invoiceAddress(reader, person.id)));
  if (stated) return { address: stated, isMember: false, language };
  if (account?.email_verified_at) return { address: account.email, isMember: true, language };
  return person.email === null ? undefined : { address: person.email, isMember: account !== undefined, language };
}

/** A member who manages such things still, unless it is the person, who has a mail of their own. */
async function memberRecipient(
  context: TenantContext,
  { kind, userId }: { kind: MailKind; userId: UserId },
  person: PersonRow | undefined,
): Promise<Recipient | Unverified | undefined> {
  if (person?.user_id === userId) return undefined;
  const account = await accountOf(context, userId);
  if (account === undefined || account.disabled_at !== null) return undefined;
  const held = permissionsOf(account.roles);
  if (!permissionsFor[kind].every((permission) => held.has(permission))) return undefined;
  if (!(await wants(context, userId, kind))) return undefined;
  if (account.email_verified_at === null) return "unverified";
  const own = await personRecipient(context, { kind }, person);
  const { email: address, language } = account;
  return own?.address === address ? undefined : { address, isMember: true, language };
}

const wants = async ({ tenant }: TenantContext, userId: UserId, kind: MailKind): Promise<boolean> =>
  (await tenant.read((reader) => preferencesOf(reader, userId)))[kind];

/** Returns the account of a member; undefined if it is no member. */
const accountOf = ({ control, tenant }: TenantContext, userId: UserId) =>
  control.read((reader) => memberAccount(reader, tenant.id, userId));

async function memberAccount(reader: Reader<"control">, orgId: OrgId, userId: UserId) {
  const { id, email, language, email_verified_at, disabled_at } = users;
  const [row] = await reader
    .select({ id, email, language, email_verified_at, disabled_at, roles: memberships.roles })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.user_id))
    .where(and(eq(memberships.org_id, orgId), eq(memberships.user_id, userId)));
  return row;
}
