import { z } from "zod";
import { dateField } from "../../http/fields.ts";
import { evaluation } from "../compliance/evaluations/evaluations.queries.ts";
import { Account } from "../finance/accounts/accounts.schemas.ts";
import { flight } from "../flights/flights.shapes.ts";
import { session } from "../planning/sessions/sessions.shapes.ts";
import { aircraftInNeed, openDefect } from "./attention.queries.ts";

/** Null: the caller may not read it, or the feature is disabled. */
const some = <Row extends z.ZodType>(rows: Row, description: string) =>
  z
    .strictObject({
      count: z.int().meta({ description: "How many there are in all.", examples: [1] }),
      rows: z.array(rows),
    })
    .nullable()
    .meta({ description: `${description} Null if the caller may not read it.` });

export const Today = z
  .strictObject({
    day: dateField.meta({ description: "The day in the organization.", examples: ["2026-06-15"] }),
    bookings: some(
      session.schema,
      "The sessions of the day, the earliest first. For members who see only their own: theirs from now on.",
    ),
    coming: some(session.schema, "The sessions after the day, of all people, the earliest first."),
    approvals: some(flight.schema, "Submitted flights, of which the caller may approve those that they did not fly."),
    drafts: some(flight.schema, "Drafts and rejected flights of the caller."),
    aircraft: some(
      aircraftInNeed.schema,
      "Aircraft that are grounded, or have maintenance that is overdue or soon due.",
    ),
    lapses: some(evaluation.schema, "People and aircraft that lack a record, or soon will."),
    defects: some(openDefect.schema, "Defects that are neither deferred nor rectified, the newest first."),
    failing_endpoints: z
      .int()
      .nullable()
      .meta({ description: "Webhook endpoints whose last attempts failed. Null as above.", examples: [0] }),
    wishes: z
      .int()
      .nullable()
      .meta({ description: "Students who wait for a slot. Null as above.", examples: [0] }),
    signoffs: z
      .int()
      .nullable()
      .meta({ description: "Signoffs that the caller has to acknowledge.", examples: [0] }),
    account: Account.nullable().meta({ description: "The account of the caller's own person." }),
  })
  .meta({ id: "Today" });

export const Setup = z
  .strictObject({
    has_aircraft: z.boolean().meta({ description: "Whether the school has an aircraft.", examples: [true] }),
    has_people: z.boolean().meta({ description: "Whether it has more people than the caller.", examples: [true] }),
    has_flight: z.boolean().meta({ description: "Whether a flight was submitted.", examples: [false] }),
    has_second_factor: z.boolean().meta({ description: "Whether the caller has a second factor.", examples: [false] }),
    has_webhook: z.boolean().meta({ description: "Whether there is a webhook endpoint.", examples: [false] }),
  })
  .meta({ id: "Setup" });
