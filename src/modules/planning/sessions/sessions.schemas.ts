import { z } from "zod";
import { days, shift } from "../../../core/clock.ts";
import { issueCodes } from "../../../core/issues.ts";
import { documentedAs } from "../../../http/documented-as.ts";
import { idOf, instant, longText, text } from "../../../http/fields.ts";
import { fromAndTo, instantQuery, paging, period, periodOrChanges, updatedSince } from "../../../http/query.ts";
import { fault } from "../../../http/schema-fault.ts";
import { changeOf, newOf } from "../../../storage/columns.ts";
import { cancellationReasons, sessionKinds, sessionStatuses } from "../planning.tables.ts";

/** @param example an instant that is still to come */
export const future = (example: string) => ({
  in: instant.in.meta(documentedAs({ type: "string", format: "date-time", examples: [example] })),
  out: instant.out,
});

export const kind = z.enum(sessionKinds).meta({ examples: ["ground"] });
export const status = z.enum(sessionStatuses).meta({
  description:
    "`requested`: a member must confirm it; it takes up its resources already. `cancelled` and `no_show` take up none.",
  examples: ["planned"],
});

const student_ids = z
  .array(idOf<"person">())
  .max(20)
  .refine((ids) => new Set(ids).size === ids.length, issueCodes.repeated)
  .meta({
    description:
      "Students, or on a flight without an instructor the pilots, of whom the first is in command. A solo flight has one.",
  });

export const references = {
  aircraft_id: idOf<"aircraft">().nullable(),
  instructor_id: idOf<"person">().nullable(),
  room_id: idOf<"room">().nullable(),
  lesson_id: idOf<"lesson">().nullable().meta({ description: "The lesson of a syllabus." }),
};
export const words = {
  title: text(120)
    .nullable()
    .meta({ examples: ["Circuits"] }),
  notes: longText(2000)
    .nullable()
    .meta({ examples: ["Bring the headset."] }),
};
export const night = z.boolean().meta({ description: "Whether a part of the flight is at night.", examples: [false] });
export const times = { start_at: future("2099-06-15T08:30:00.000Z"), end_at: future("2099-06-15T10:00:00.000Z") };

export const NewSession = newOf("NewPlanningSession", {
  kind,
  ...times,
  ...references,
  student_ids: student_ids.default([]),
  night: night.default(false),
  ...words,
});
export type NewSession = z.infer<typeof NewSession>;

const scope = z
  .enum(["one", "following"])
  .default("one")
  .meta({ description: "`following`: also the later sessions of its series.", examples: ["one"] });

export const SessionChange = changeOf("PlanningSessionChange", {
  ...times,
  ...references,
  student_ids,
  night,
  ...words,
});
export type SessionChange = z.infer<typeof SessionChange>;

export const note = longText(1000)
  .nullable()
  .default(null)
  .meta({ examples: ["Ceiling at 600 ft."] });
export const cancellationReason = z.enum(cancellationReasons).meta({ examples: ["weather"] });
export const Cancellation = z
  .strictObject({ reason: cancellationReason, note, scope })
  .meta({ id: "PlanningCancellation" });
export type Cancellation = z.infer<typeof Cancellation>;

export const Shift = z
  .strictObject({ start_at: times.start_at.in, scope })
  .meta({ id: "PlanningShift", description: "When it begins instead. It stays as long as it is." });
export type Shift = z.infer<typeof Shift>;

type Filter<Query extends z.ZodType> = Partial<Omit<z.infer<Query>, keyof typeof paging>>;

/** `from` and `to` filter by `start_at`. */
const filters = {
  ...paging,
  ...fromAndTo,
  kind: kind.optional(),
  aircraft_id: idOf<"aircraft">().optional(),
  instructor_id: idOf<"person">().optional(),
};
export const PublicSessionListQuery = periodOrChanges(z.strictObject({ ...filters, ...updatedSince }));

export const SessionListQuery = period(
  z.strictObject({
    ...filters,
    status: status.optional(),
    room_id: idOf<"room">().optional(),
    series_id: idOf<"series">().optional(),
    person_id: idOf<"person">().optional().meta({ description: "Sessions of this student or instructor." }),
  }),
);
export type SessionFilter = Filter<typeof SessionListQuery>;

export const BusyQuery = z
  .strictObject({
    from: instantQuery,
    to: instantQuery,
    resource_id: idOf<string>().meta({ description: "An aircraft, an instructor or a room." }),
  })
  .refine(({ from, to }) => from <= to && shift(from, days(31)) >= to, {
    path: ["to"],
    ...fault("too_many_days", { max: 31 }),
  });

export const PublicSessionRef = z.object({ sessionId: idOf<"session">() });
