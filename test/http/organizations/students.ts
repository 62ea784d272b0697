/** Setup of the tests of student invites. */
import { eq } from "drizzle-orm";
import type { PersonId, UserId } from "../../../src/core/ids.ts";
import { formerLinks, people } from "../../../src/modules/people/people.tables.ts";
import { intents } from "../../../src/storage/shared.tables.ts";
import type { Answer, Call, Installation } from "../../support/installation.ts";
import { expectStatus, password } from "../../support/school.ts";
import type { Newcomer } from "../accounts/newcomers.ts";

export const ANNA = "anna@example.com";

type By = Pick<Newcomer, "token" | "orgId">;

export async function newStudent(at: Installation, by: By, more: object = {}): Promise<PersonId> {
  const body = { name: "Anna Berg", types: ["student"], email: ANNA, ...more };
  return expectStatus(201, await at.call("POST", `/orgs/${by.orgId}/people`, { token: by.token, body })).body.data.id;
}

export const askFor = (at: Installation, { token, orgId }: By, body: object): Promise<Answer> =>
  at.call("POST", `/orgs/${orgId}/student-invites`, { token, body });

/** Sends any other request of an inviter. */
export const ask = (at: Installation, method: string, { token, orgId }: By, path = ""): Promise<Answer> =>
  at.call(method, `/orgs/${orgId}/student-invites${path}`, { token });

export interface StudentInvite {
  id: string;
  token: string;
  personId: PersonId;
}

/** Creates a person who is a student, and an invite for them. */
export async function invitedStudent(at: Installation, by: By, more: object = {}): Promise<StudentInvite> {
  const personId = await newStudent(at, by, more);
  const { id, token } = expectStatus(201, await askFor(at, by, { person_id: personId })).body.data;
  return { id, token, personId };
}

export const show = (at: Installation, token: string): Promise<Answer> =>
  at.call("GET", `/auth/student-invites/${token}`);

export const claim = (at: Installation, token: string, body: object = { password }, call: Call = {}): Promise<Answer> =>
  at.call("POST", "/auth/student-invites/claim", { body: { token, ...body }, ...call });

/** Returns the account that the person is linked to. */
export async function accountOf(at: Installation, { orgId }: Pick<By, "orgId">, id: PersonId) {
  const tenant = at.storage.tenants.tenant(orgId);
  const [row] = await tenant.read((reader) => reader.select().from(people).where(eq(people.id, id)));
  return row?.user_id;
}

export const link = (at: Installation, { orgId }: Pick<By, "orgId">, id: PersonId, userId: UserId | null) =>
  at.storage.tenants.tenant(orgId).write((tx) => tx.update(people).set({ user_id: userId }).where(eq(people.id, id)));

export const remove = (at: Installation, { orgId }: Pick<By, "orgId">, id: PersonId) =>
  at.storage.tenants.tenant(orgId).write(async (tx) => {
    await tx.delete(formerLinks).where(eq(formerLinks.person_id, id));
    await tx.delete(people).where(eq(people.id, id));
  });

export const openIntents = ({ storage }: Installation) =>
  storage.control.read((reader) => reader.select().from(intents));
