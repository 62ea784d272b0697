import { type MemberActor, permits } from "../../core/actor.ts";
import { toInstant } from "../../core/clock.ts";
import { notPermitted } from "../../core/errors.ts";
import type { PersonId } from "../../core/ids.ts";
import { audit } from "../../storage/audit.ts";
import type { InOrganization } from "../../storage/context.ts";
import type { DataSubject, PersonalData, PersonalFile } from "../../storage/personal-data.ts";
import type { Reader, Tenant } from "../../storage/store.ts";
import { requireStepUp } from "../accounts/mfa/require-step-up.ts";
import { findPerson, personEntity } from "../people/people.queries.ts";
import { dataSubject } from "./data-subject.queries.ts";
import { personInControl } from "./person-in-control.queries.ts";

/**
 * Returns everything that the school keeps about a person (GDPR, articles 15 and 20): `person.json`, and the files that
 * belong to the person's records. Read while they are sent.
 *
 * @throws NOT_FOUND; FORBIDDEN the actor neither manages people nor is the person; STEP_UP_REQUIRED
 */
export const exportPerson =
  (personal: readonly PersonalData[]) =>
  async (context: InOrganization, { personId }: { personId: PersonId }): Promise<AsyncGenerator<PersonalFile>> => {
    const { actor, tenant, control, clock } = context;
    const person = await tenant.read((reader) => requirePerson(reader, personId, actor));
    await requireStepUp(context);
    const found = await tenant.write(async (tx) => {
      await audit(tx, context, "person.exported", { subject: { kind: personEntity.kind, id: personId } });
      return dataSubject(tx, await personEntity.row(tx, { personId }), { control, orgId: actor.orgId });
    });
    const subject = { ...found, isCaller: person.value.user_id === actor.userId };
    const inControl = await control.read((reader) => personInControl(reader, actor.orgId, subject));
    const head = { exported_at: toInstant(clock.now()), person: person.value, ...inControl };
    return filesOf(tenant, personal, { head, subject });
  };

/** Returns a person whom the actor manages or is. */
async function requirePerson(reader: Reader<"tenant">, personId: PersonId, actor: MemberActor) {
  if (permits(actor, "people:manage")) return personEntity.find(reader, { personId });
  const person = await findPerson(reader, personId, actor);
  if (person.value.user_id !== actor.userId) throw notPermitted();
  return person;
}

async function* filesOf(
  tenant: Tenant,
  personal: readonly PersonalData[],
  { head, subject }: { head: object; subject: DataSubject },
): AsyncGenerator<PersonalFile> {
  yield { name: "person.json", content: jsonOf(tenant, personal, { head, subject }) };
  for (const part of personal) if (part.files) yield* part.files(tenant, subject);
}

/** Returns one JSON object in pieces: the fields of `head`, then the lists of all modules. */
async function* jsonOf(
  tenant: Tenant,
  personal: readonly PersonalData[],
  { head, subject }: { head: object; subject: DataSubject },
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(JSON.stringify(head).slice(0, -1));
  for (const [name, list] of personal.flatMap(({ lists }) => Object.entries(lists))) {
    let mark = `,"${name}":[`;
    for await (const row of list(tenant, subject)) {
      yield Buffer.from(mark + JSON.stringify(row));
      mark = ",";
    }
    yield Buffer.from(mark === "," ? "]" : `${mark}]`);
  }
  yield Buffer.from("}");
}
