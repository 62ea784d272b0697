import { authorize } from "../../core/actor.ts";
import type { Instant } from "../../core/clock.ts";
import { toLegalDate } from "../../core/dates.ts";
import { conflict } from "../../core/errors.ts";
import type { PersonId, UserId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import { rolesOf } from "../../identity/memberships.queries.ts";
import { audit } from "../../storage/audit.ts";
import type { InOrganization } from "../../storage/context.ts";
import { writeIntent } from "../../storage/intents.ts";
import type { DataSubject, PersonalData } from "../../storage/personal-data.ts";
import type { Reader } from "../../storage/store.ts";
import { today } from "../../storage/today.ts";
import { requireStepUp } from "../accounts/mfa/require-step-up.ts";
import { findOrganization } from "../organizations/organizations.queries.ts";
import { personEntity } from "../people/people.queries.ts";
import type { Person } from "../people/people.shapes.ts";
import { checkStatus } from "../people/person-rules.ts";
import { accountsEver, dataSubject } from "./data-subject.queries.ts";
import { personErased } from "./person-erased.ts";

/**
 * Erases a person's data (GDPR, article 17) from all tables, audit payloads and kept responses included. Their flights keep
 * their figures, and the id of a person without a name. Other writes to the school wait meanwhile.
 *
 * @throws NOT_FOUND; FORBIDDEN; STEP_UP_REQUIRED
 * @throws CONFLICT the law obliges the school to keep records still; the person is a member, supervises an instructor, is in
 *   the crew of a flight that awaits approval, or was erased already
 */
export const erasePerson =
  (personal: readonly PersonalData[]) =>
  async (context: InOrganization, { personId }: { personId: PersonId }): Promise<JsonOf<Person>> => {
    const { actor, tenant, control, clock } = context;
    authorize(actor, "people:manage");
    await requireStepUp(context);
    const { kind } = (await control.read((reader) => findOrganization(reader, actor.orgId))).value;
    return tenant.write(async (tx) => {
      const row = await personEntity.row(tx, { personId });
      await checkStatus(tx, { ...row, status: "active" }, { status: "archived" });
      await requireNoMember(context, await accountsEver(tx, row));
      const subject = await dataSubject(tx, row, { control, orgId: actor.orgId });
      for (const part of personal) await part.check?.(tx, subject);
      await requireNothingKept(tx, personal, { subject, kind, now: tx.now });
      for (const part of personal.toReversed()) await part.erase?.(tx, subject, context);
      for (const part of personal) await part.eraseTraces?.(tx, subject, context);
      await writeIntent(tx, clock, personErased, actor.orgId, subject);
      const erased = await personEntity.read(tx, personId);
      await audit(tx, context, "person.erased", { subject: { kind: personEntity.kind, id: personId } });
      return erased;
    });
  };

/**
 * The account is the member's own: only the membership is the school's. An account that was unlinked counts, too: otherwise
 * unlinking would be a way around.
 *
 * @throws CONFLICT
 */
const requireNoMember = ({ control, actor }: InOrganization, userIds: readonly UserId[]): Promise<void> =>
  control.read(async (reader) => {
    for (const userId of userIds)
      if ((await rolesOf(reader, actor.orgId, userId)) !== undefined)
        throw conflict(
          "person_has_account",
          "An account that is or was the person's is a member of the organization. Remove the member first, or link the account to the person whose it is.",
        );
  });

/** @throws CONFLICT with the last day on which records must be kept */
async function requireNothingKept(
  reader: Reader<"tenant">,
  personal: readonly PersonalData[],
  { subject, kind, now }: { subject: DataSubject; kind: string; now: Instant },
): Promise<void> {
  const date = toLegalDate(await today(reader, now));
  const kept = [];
  for (const part of personal) kept.push(await part.kept?.(reader, subject, kind));
  const [longest] = kept
    .filter((one) => one !== undefined)
    .filter(({ until }) => until >= date)
    .sort((one, other) => (one.until < other.until ? 1 : -1));
  if (longest === undefined) return;
  const { until, what, article } = longest;
  throw conflict(
    "records_kept",
    `The law obliges the school to keep ${what} about this person until ${until} (${article}).`,
    { until, article },
  );
}
