/** The fields of a signoff and the input of the routes. */
import { z } from "zod";
import { idOf, instant, longText, text } from "../../../http/fields.ts";
import { fromAndTo, paging, period, periodOrChanges, updatedSince } from "../../../http/query.ts";
import { newOf } from "../../../storage/columns.ts";
import { instructor_id } from "../ground-sessions/ground-sessions.schemas.ts";

export const signoffFields = {
  enrollment_id: idOf<"enrollment">(),
  item_id: idOf<"training_item">(),
  flight_id: idOf<"flight">()
    .nullable()
    .meta({ description: "The flight of the item's lesson on which it was shown." }),
  grade: text(40).meta({ description: "The code of a grade of the item's scale.", examples: ["3"] }),
};

export const remarks = longText(2000)
  .nullable()
  .meta({ examples: ["Rounds out a little high."] });

export const signed_at = instant.in.nullable().meta({
  description: "Null: now. The instructor must have been qualified on that day, and on the day of the flight.",
});

export const NewSignoff = newOf("NewSignoff", {
  ...signoffFields,
  instructor_id,
  signed_at,
  remarks,
});
export type NewSignoff = z.infer<typeof NewSignoff>;

const filters = {
  ...paging,
  ...fromAndTo,
  student_id: idOf<"person">().optional(),
  program_id: idOf<"program">().optional(),
};
export const SignoffListQuery = period(z.strictObject(filters));
export type SignoffFilter = Partial<z.infer<typeof SignoffListQuery>>;

export const PublicSignoffListQuery = periodOrChanges(z.strictObject({ ...filters, ...updatedSince }));
