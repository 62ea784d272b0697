import { inArray } from "drizzle-orm";
import type { Instant } from "../../core/clock.ts";
import type { KeyRing } from "../../core/crypto.ts";
import { newId, type OrgId, type UserId } from "../../core/ids.ts";
import { users } from "../../identity/identity.tables.ts";
import { audit } from "../../storage/audit.ts";
import type { OperatorContext } from "../../storage/context.ts";
import { type Intents, writeIntent } from "../../storage/intents.ts";
import { MoveRefused } from "../../storage/move/move-refused.ts";
import type { Moves, StagedSchool } from "../../storage/move/moves.ts";
import type { Adoption, MovedData } from "../../storage/moved-data.ts";
import type { Tx } from "../../storage/store.ts";
import { linkTo } from "../accounts/email/account-mails.ts";
import { type LinkMailer, mailVerification } from "../accounts/email/send-verification.ts";
import { hasSignIn } from "../accounts/moved-accounts.ts";
import { resetLinkOf } from "../accounts/passwords/issue-reset-link.ts";
import { findAccount, insertUser } from "../accounts/users.ts";
import { addRoles } from "../organizations/add-roles.ts";
import { activeOwners, inviteMoved } from "../organizations/moved-organization.ts";
import { partsOfFile } from "./parts-of-file.ts";
import { type LinkedPerson, linkedPeople, suspendedThere } from "./recovered.queries.ts";
import { schoolAdopted } from "./school-adopted.ts";

export interface AdoptDeps extends LinkMailer {
  moves: Pick<Moves, "adoptSchool">;
  intents: Pick<Intents, "apply">;
  keys: KeyRing;
  moved: readonly MovedData[];
}

export interface AdoptInput {
  /** An export, or the database of a school. */
  from: string;
  passphrase?: string | undefined;
  /** The file with the identity of age that opens a database of an encrypted backup. */
  identity?: string | undefined;
  /** The `secret.key` of the installation that a bare database comes from. */
  key?: string | undefined;
  /** The e-mail address of an account that is made an owner. It is made, if it is not here. */
  owner?: string | undefined;
  /** Of a bare database: makes those who are linked to an account members, with the roles of their types. */
  members: boolean;
  /** The person who adopts, as the operating system names them. */
  by: string;
}

export interface AdoptedSchool {
  organization_id: OrgId;
  name: string;
  members: number;
  /** Links for the operator to pass on, which choose a password or accept an invite. */
  links: { email: string; purpose: "password" | "invite"; link: string }[];
  remarks: string[];
}

/**
 * Makes a school of another installation one of this one: its file, its members and what else the other control database had. One
 * transaction decides; a crash leaves nothing or everything.
 *
 * @throws MoveRefused it is damaged, newer than this program or here already, or would have no owner
 */
export async function adoptSchool(
  context: OperatorContext,
  deps: AdoptDeps,
  input: AdoptInput,
): Promise<AdoptedSchool> {
  const { moves, intents } = deps;
  const adopted = await moves.adoptSchool(input, async (school) => {
    const people = await school.read(linkedPeople);
    const suspendedAt = await school.read(suspendedThere);
    const parts = school.head?.parts ?? (await partsOfFile(school, input.members ? people : []));
    return school.place((tx) => enter(tx, { context, deps, input, school, parts, people, suspendedAt }));
  });
  await intents.apply(adopted.organization_id);
  return adopted;
}

interface Entering {
  context: OperatorContext;
  deps: AdoptDeps;
  input: AdoptInput;
  school: StagedSchool;
  parts: Readonly<Record<string, unknown>>;
  people: readonly LinkedPerson[];
  /** Where it comes from. */
  suspendedAt: Instant | null;
}

async function enter(tx: Tx<"control">, entering: Entering): Promise<AdoptedSchool> {
  const { context, deps, input, school, parts } = entering;
  const { orgId, described, head } = school;
  const { keys, moved, linkUrl } = deps;
  const adoption: Adoption = { ...context, orgId, keys, accounts: new Map(), invited: [], remarks: [] };
  for (const part of moved) if (part.name in parts) await part.put(tx, parts[part.name], adoption);
  if (input.owner !== undefined) await makeOwner(tx, entering, adoption, input.owner);
  const owners = await activeOwners(tx, adoption);
  if (owners.length === 0)
    throw new MoveRefused("No owner of the school has an account here that can be used. Name one with --owner EMAIL.");
  const invites = await inviteMoved(tx, adoption);
  const passwords = await linksFor(tx, entering, owners);
  await greetMembers(tx, entering, adoption);
  remarkOn(entering, adoption);

  const from = { key_id: head?.key_id ?? described.sealed_by, by: input.by };
  await audit(tx, context, "organization.adopted", {
    subject: { kind: "organization", id: orgId },
    orgId,
    after: { from_key_id: from.key_id, adopted_by: from.by },
  });
  await writeIntent(tx, context.clock, schoolAdopted, orgId, from);
  return {
    organization_id: orgId,
    name: described.name,
    members: [...adoption.accounts.values()].filter(({ state }) => state !== "other").length,
    links: [
      ...passwords,
      ...invites.map(({ email, token }) => ({
        email,
        purpose: "invite" as const,
        link: linkTo(linkUrl, "invite", token),
      })),
    ],
    remarks: adoption.remarks,
  };
}

/** The operator vouches for the owner: an account with the address is not asked. */
async function makeOwner(
  tx: Tx<"control">,
  { context, people }: Entering,
  adoption: Adoption,
  email: string,
): Promise<void> {
  const { orgId, accounts, invited } = adoption;
  const account = await findAccount(tx, email);
  if (account && account.disabled_at !== null)
    throw new MoveRefused(`The account ${email} is disabled. Enable it with account enable, or name another owner.`);
  const person = people.find((linked) => linked.email === email);
  const name = person?.name ?? email.split("@", 1).join("");
  const made = { email, name, language: "en", passwordHash: null } as const;
  const userId = account?.id ?? (await insertUser(tx, context, { ...made, id: await freeId(tx, context, person) })).id;
  await addRoles(tx, context, { orgId, userId, roles: ["owner"] });
  accounts.set(userId, { email, state: account ? "known" : "made" });
  invited.splice(0, invited.length, ...invited.filter((one) => one.email !== email));
}

/** The id that the person's account had, so that the school's records are the account's. */
async function freeId(
  tx: Tx<"control">,
  { clock }: OperatorContext,
  person: LinkedPerson | undefined,
): Promise<UserId> {
  const isTaken = person && (await tx.$count(users, inArray(users.id, [person.user_id]))) > 0;
  return person && !isTaken ? person.user_id : newId<"user">(clock);
}

/** Links for owners whom nothing signs in. */
async function linksFor(tx: Tx<"control">, { context, deps }: Entering, owners: readonly UserId[]) {
  const links: AdoptedSchool["links"] = [];
  for (const account of await tx
    .select()
    .from(users)
    .where(inArray(users.id, [...owners]))) {
    if (await hasSignIn(tx, account.id)) continue;
    const { link } = await resetLinkOf(tx, { ...context, linkUrl: deps.linkUrl }, account);
    links.push({ email: account.email, purpose: "password", link });
  }
  return links;
}

/** Mails the new accounts a link that verifies their address, and counts those who need a password. */
async function greetMembers(tx: Tx<"control">, { context, deps }: Entering, { accounts, remarks }: Adoption) {
  const made = [...accounts].flatMap(([id, { state }]) => (state === "made" ? [id] : []));
  let without = 0;
  for (const account of await tx.select().from(users).where(inArray(users.id, made))) {
    if (account.disabled_at !== null) continue;
    await mailVerification(tx, context, deps, account);
    if (!(await hasSignIn(tx, account.id))) without += 1;
  }
  if (without > 0)
    remarks.push(
      `Accounts without a password: ${without}. Their members choose one with "Forgot password", or with a link of account reset-link.`,
    );
}

function remarkOn(
  { school: { orgId, head, hasSecrets }, suspendedAt }: Entering,
  { invited, remarks }: Adoption,
): void {
  if (suspendedAt !== null)
    remarks.push(
      `It was suspended on ${suspendedAt.slice(0, 10)}. Here it is not: \`windsock org suspend ${orgId}\` suspends it.`,
    );
  if (!hasSecrets)
    remarks.push(
      "The key of its installation is not known. Give each webhook endpoint a new secret, and headers if it had some; and rotate the key that signs evidence packs. Nothing else is lost.",
    );
  if (invited.length > 0)
    remarks.push(
      `Members whose address has another account here are invited: ${invited.length}. When they have joined, link them to their persons again.`,
    );
  if (head === null)
    remarks.push(
      "Members, roles, open invites, opportunities and add-ons were in the other control database. Invite the members. Look at the school's kind, approval and currency in its settings.",
    );
}
