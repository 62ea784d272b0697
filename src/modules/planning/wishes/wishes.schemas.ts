import { z } from "zod";
import { idOf, instantOut, integer, stampsOut } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { columns, newOf } from "../../../storage/columns.ts";
import { names } from "../../../storage/names.ts";
import { shape } from "../../../storage/shape.ts";
import { icaoType } from "../../fleet/fleet.schemas.ts";
import { aircraftRegistration } from "../../fleet/fleet.shapes.ts";
import { personName } from "../../people/people.shapes.ts";
import { planningWishes as table, wishStatuses } from "../planning.tables.ts";
import { future } from "../sessions/sessions.schemas.ts";

const fields = {
  person_id: idOf<"person">().meta({ description: "Who waits. Students wait for themselves." }),
  icao_type: icaoType.nullable().meta({ description: "The type of the aircraft; null: any, or none." }),
  instructor_id: idOf<"person">().nullable().meta({ description: "Null: any, or none." }),
  from_at: future("2099-06-15T06:00:00.000Z"),
  until_at: future("2099-06-20T18:00:00.000Z"),
  minutes: integer(15, 1440).meta({
    description: "How long it has to be free within the time window.",
    examples: [60],
  }),
};

export const NewWish = newOf("NewPlanningWish", fields);
export type NewWish = z.infer<typeof NewWish>;

const status = z.enum(wishStatuses).meta({
  description:
    "`offered`: something that fits became free, and the person may book it; `offered_until`: then the next. `expired`: the time window is over.",
  examples: ["waiting"],
});

export const wish = shape("PlanningWish", {
  ...columns(table, {
    id: idOf<"wish">(),
    ...fields,
    status,
    offered_until: instantOut.nullable(),
    offered_start_at: instantOut.nullable(),
    offered_end_at: instantOut.nullable(),
    offered_aircraft_id: idOf<"aircraft">().nullable(),
    offered_instructor_id: idOf<"person">().nullable(),
    ...stampsOut,
  }),
  ...names(table, {
    person_id: personName,
    instructor_id: personName,
    offered_aircraft_id: aircraftRegistration,
    offered_instructor_id: personName,
  }),
});

export const WishListQuery = z.strictObject({
  ...paging,
  status: status.optional(),
  person_id: idOf<"person">().optional(),
});
type ListQuery = z.infer<typeof WishListQuery>;
export type WishFilter = Partial<Omit<ListQuery, keyof typeof paging>>;
