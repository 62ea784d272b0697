/**
 * What a change of the requirements would do. It refuses what the change would refuse, and compares everybody concerned by the function
 * of the evaluations, under what is required now and under what would be. Nothing is written, so no other write waits for it.
 */
import { authorize } from "../../../core/actor.ts";
import { yieldingBetween } from "../../../core/async.ts";
import { toLegalDate } from "../../../core/dates.ts";
import { newId } from "../../../core/ids.ts";
import type { InOrganization } from "../../../storage/context.ts";
import type { Reader } from "../../../storage/store.ts";
import { today as todayIn } from "../../../storage/today.ts";
import { complianceRequirements } from "../compliance.tables.ts";
import { compare, type Requirement } from "../evaluations/compare.ts";
import { warningDays } from "../types/types.queries.ts";
import type { NewTrial, Trial } from "./dry-run.schemas.ts";
import { requirementEntity } from "./requirements.queries.ts";
import { checkTypes } from "./requirements.verbs.ts";
import { subjectsIn } from "./subjects.queries.ts";

type Applied = Requirement & Pick<typeof complianceRequirements.$inferSelect, "applies_to">;

/** In the answer. */
const most = 100;

/** @throws NOT_FOUND no such requirement; VALIDATION_ERROR see `checkTypes` */
export async function tryRequirement({ actor, tenant, clock }: InOrganization, input: NewTrial): Promise<Trial> {
  authorize(actor, "compliance:manage");
  return tenant.read(async (reader) => {
    const { now, then, before, after } = await requirementsOf(reader, input, newId<"requirement">(clock));
    const [warnings, today] = [await warningDays(reader), await todayIn(reader, clock.now())];
    const either = new Set([before, after].flatMap((one) => one?.applies_to ?? []));
    const becoming: Trial["becoming"] = { not_compliant: 0, expiring: 0, compliant: 0 };
    const changed: Trial["subjects"] = [];
    let concerned = 0;
    let lacking = 0;
    for await (const { roles, holder, ...subject } of yieldingBetween(subjectsIn(reader, either))) {
      const under = (all: readonly Applied[]) =>
        compare(
          all.filter(({ applies_to }) => roles.includes(applies_to)),
          holder,
          warnings,
          today,
        );
      const [old, next] = [under(now), under(then)];
      if (after && roles.includes(after.applies_to)) {
        concerned += 1;
        if (next.reasons.some(({ requirement_id, state }) => requirement_id === after.id && state !== "expiring"))
          lacking += 1;
      }
      if (old.status === next.status) continue;
      becoming[next.status] += 1;
      changed.push({ ...subject, before: old.status, after: next.status });
    }
    return { on: toLegalDate(today), concerned, lacking, becoming, subjects: worstFirst(changed).slice(0, most) };
  });
}

/** @param id of the one that would be added */
async function requirementsOf(reader: Reader<"tenant">, input: NewTrial, id: Applied["id"]) {
  const { requirement_id, requirement } = input;
  const before =
    requirement_id === null ? undefined : await requirementEntity.row(reader, { requirementId: requirement_id });
  if (requirement !== null) await checkTypes(reader, requirement, "requirement.");
  const after: Applied | undefined = requirement === null ? undefined : { ...requirement, id: before?.id ?? id };
  const now: readonly Applied[] = await reader.select().from(complianceRequirements);
  const then = [...now.filter((one) => one.id !== before?.id), ...(after ? [after] : [])];
  return { now, then, before, after };
}

const order = ["not_compliant", "expiring", "compliant"] as const;
const worstFirst = (subjects: Trial["subjects"]) =>
  subjects.toSorted((one, other) => order.indexOf(one.after) - order.indexOf(other.after));
