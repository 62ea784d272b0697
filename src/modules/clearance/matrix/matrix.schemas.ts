import { z } from "zod";
import { issueCodes } from "../../../core/issues.ts";
import { idOf, instantOut } from "../../../http/fields.ts";
import { aircraft as aircraftShape } from "../../fleet/fleet.shapes.ts";
import { aircraftClasses } from "../../fleet/fleet.values.ts";
import { nextCursor, rowsQuery } from "../../people/rows-of-people.queries.ts";
import { foundAction, rule } from "../../rules/findings.schemas.ts";
import { clearanceOptions, decision } from "../clearance.schemas.ts";

export const MatrixQuery = z
  .strictObject({
    ...clearanceOptions,
    function: clearanceOptions.function.default("pic"),
    ...rowsQuery,
    class: z.enum(aircraftClasses).optional().meta({ description: "Only aircraft of this class." }),
  })
  .refine(({ function: f, passengers }) => f !== "solo" || passengers === 0, {
    path: ["passengers"],
    error: issueCodes.solo_passengers,
  });
export type MatrixQuery = z.infer<typeof MatrixQuery>;

const about = {
  rule,
  action: foundAction,
  message: z.string().meta({ examples: ["Expired: Medical certificate."] }),
};

export const Matrix = z
  .strictObject({
    function: clearanceOptions.function,
    at: instantOut,
    aircraft: z
      .array(
        z.strictObject({
          id: idOf<"aircraft">(),
          registration: z.string().meta({ examples: ["D-EABC"] }),
          class: z.enum(aircraftClasses),
          status: aircraftShape.schema.shape.status,
          reasons: z.array(z.strictObject(about)).meta({ description: "What is against it, whoever flies it." }),
        }),
      )
      .meta({ description: "By registration, without archived ones." }),
    people: z
      .array(
        z.strictObject({
          id: idOf<"person">(),
          name: z.string().meta({ examples: ["Anna Berg"] }),
          decisions: z.array(decision).meta({ description: "For each aircraft, in their order: as its clearance." }),
          reasons: z
            .array(
              z.strictObject({
                ...about,
                classes: z
                  .array(z.enum(aircraftClasses))
                  .meta({ description: "Of the aircraft for which it counts.", examples: [["SEP"]] }),
              }),
            )
            .meta({ description: "What is against the person, or against them as the one who pays." }),
        }),
      )
      .meta({ description: "By name." }),
    next_cursor: nextCursor,
  })
  .meta({ id: "ClearanceMatrix" });
export type Matrix = z.infer<typeof Matrix>;
