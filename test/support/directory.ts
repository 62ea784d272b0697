/** Directory profiles and moderators for tests. */
import { grantPlatformPermission } from "../../src/modules/accounts/operator/grant-platform-permission.ts";
import type { Installation, SharedInstallation } from "./installation.ts";
import { type Account, newAccount } from "./market.ts";
import { expectStatus, type Member } from "./school.ts";

type EntryType = "schools" | "instructors" | "aircraft";

/** Signs up a platform admin who moderates the directory. */
export async function newModerator(installation: Installation): Promise<Account> {
  const account = await newAccount(installation, "Mona Moderator");
  const { storage, clock } = installation;
  const context = { actor: { kind: "command_line" }, requestId: "", clock, control: storage.control } as const;
  const permission = "platform_admin.directory:moderate";
  await grantPlatformPermission(context, { email: account.email, permission, evenUnverified: true });
  return account;
}

const paths = { schools: "/directory/school", instructors: "/directory/instructors", aircraft: "/directory/aircraft" };

export const profilePath = (type: EntryType, id: string): string =>
  type === "schools" ? paths.schools : `${paths[type]}/${id}`;

/** Publishes a school, an instructor or an aircraft. @returns the profile */
export const publish = async (owner: Member, type: EntryType, id: string, change: object = {}) =>
  expectStatus(200, await owner.patch(profilePath(type, id), { published: true, ...change })).body.data;

let address = 0;

/** A search, from an address of its own. */
export async function found(installation: SharedInstallation, type: EntryType, query = "") {
  address += 1;
  const from = `198.21.${(address >> 8) & 255}.${address & 255}`;
  return expectStatus(200, await installation.call("GET", `/public/directory/${type}${query}`, { from })).body.data;
}

export const idsOf = async (...search: Parameters<typeof found>): Promise<string[]> =>
  (await found(...search)).map(({ id }: { id: string }) => id);
