/** How many people stand under each requirement: as their evaluations, by the same function. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { authorize, type MemberActor, permits } from "../../../core/actor.ts";
import { yieldingEvery } from "../../../core/async.ts";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { dateField, idOf } from "../../../http/fields.ts";
import { lookUpAll } from "../../../storage/lookup.ts";
import type { Reader } from "../../../storage/store.ts";
import { today as todayIn } from "../../../storage/today.ts";
import { person as personShape } from "../../people/people.shapes.ts";
import { nextCursor, rowsOfPeople, rowsQuery } from "../../people/rows-of-people.queries.ts";
import { complianceRequirements, roles } from "../compliance.tables.ts";
import { standingUnder } from "../evaluations/compare.ts";
import { licenceHeld } from "../records/licence.ts";
import { holdersOf } from "../records/records.queries.ts";
import { warningDays } from "../types/types.queries.ts";

export const RequirementMatrixQuery = z.strictObject(rowsQuery);

const cell = z
  .strictObject({
    state: z.enum(["met", "expiring", "expired", "missing", "not_needed"]).meta({
      description: "`not_needed`: the holder of an LAPL needs no class rating. A withdrawn record is missing.",
      examples: ["expiring"],
    }),
    record_id: idOf<"record">().nullable(),
    valid_until: dateField.nullable().meta({ description: "Of the record that counts. Null: none, or unlimited." }),
  })
  .nullable()
  .meta({ description: "Null: it is not required of the person." });

export const RequirementMatrix = z
  .strictObject({
    on: dateField.meta({ description: "Today, where the organization is." }),
    requirements: z
      .array(
        z.strictObject({
          id: idOf<"requirement">(),
          applies_to: z.enum(roles),
          any_of: z.array(z.string()).meta({ description: "Keys of types, one of which is enough." }),
          levels: z.array(z.string()).meta({ description: "The levels that are enough. Empty: any.", examples: [[]] }),
        }),
      )
      .meta({ description: "Of people, the oldest first." }),
    people: z
      .array(
        z.strictObject({
          id: idOf<"person">(),
          name: z.string().meta({ examples: ["Anna Berg"] }),
          types: personShape.schema.shape.types,
          cells: z.array(cell).meta({ description: "For each requirement, in their order." }),
        }),
      )
      .meta({ description: "By name." }),
    next_cursor: nextCursor,
  })
  .meta({ id: "ComplianceMatrix" });
type RequirementMatrix = z.infer<typeof RequirementMatrix>;

const { id, applies_to, any_of, levels } = complianceRequirements;
const requirementsOfPeople = lookUpAll(
  { id, applies_to, any_of, levels },
  sql`from ${complianceRequirements} where ${applies_to} not in ('aircraft', 'simulator') order by ${id}`,
);

/** @throws FORBIDDEN; BAD_REQUEST the cursor is of another list */
export async function readMatrix(
  reader: Reader<"tenant">,
  actor: MemberActor,
  query: z.infer<typeof RequirementMatrixQuery>,
  now: Date,
): Promise<RequirementMatrix> {
  authorize(actor, "compliance:read");
  const [requirements, warnings, { rows, next_cursor }, today] = await Promise.all([
    requirementsOfPeople(reader, {}),
    warningDays(reader),
    rowsOfPeople(reader, query),
    todayIn(reader, now),
  ]);
  const ids = rows.map(({ id }) => id);
  const holders = await holdersOf(reader, ids);
  const seesHealth = permits(actor, "medicals:read");
  const pause = yieldingEvery();
  const people: RequirementMatrix["people"] = [];
  for (const { id, name, types } of rows) {
    await pause();
    const holder = holders.get(id) ?? { records: [] };
    const isLapl = licenceHeld(holder, today) === "lapl";
    const cells = requirements.map((requirement) => {
      if (!types.some((one) => one === requirement.applies_to)) return null;
      const { state, record } = standingUnder(requirement, { holder, isLapl, warnings, today });
      const shown = record?.type === "medical" && !seesHealth ? null : record;
      return { state, record_id: shown?.id ?? null, valid_until: shown?.valid_until ?? null };
    });
    people.push({ id, name, types, cells });
  }
  const on: LegalDate = toLegalDate(today);
  return { on, requirements, people, next_cursor };
}
