import { z } from "zod";
import { dateField, idOf } from "../../http/fields.ts";
import { paging } from "../../http/query.ts";
import { source } from "../rules/rules.schemas.ts";
import { lacks, revalidationKinds, states } from "./assess.ts";

const lack = z.enum(lacks);

const item = z.strictObject({
  kind: z.enum(revalidationKinds).meta({
    description:
      "`sep`, `tmg`: the class rating by experience (FCL.740.A). `fi`: the certificate by instruction, refresher training and assessment (FCL.940.FI). `lapl_a`: the rolling 24 months (FCL.140.A).",
    examples: ["sep"],
  }),
  state: z.enum(states).meta({
    description:
      "`met`: nothing is missing; of `lapl_a` until `until`, and `missing` from the next day on. `not_open`: only flights from `counts_from` on count.",
    examples: ["missing"],
  }),
  record_id: idOf<"record">().meta({ description: "The rating, the certificate or the licence." }),
  until: dateField.nullable().meta({
    description: "The last day. Null: the recent experience under the LAPL is missing now.",
    examples: ["2026-08-31"],
  }),
  counts_from: dateField.meta({ description: "Only what is flown from this day on counts." }),
  missing: z.array(
    z.strictObject({
      what: lack.meta({
        description: "A time in minutes, landings, or once what it names.",
        examples: ["flight_minutes"],
      }),
      amount: z.int().meta({ examples: [270] }),
      needed: z.int().meta({ description: "The whole, of which this amount is missing.", examples: [720] }),
    }),
  ),
  how_many: z
    .int()
    .meta({ description: "Of what is missing, this many are enough: of an FI, two of three.", examples: [1] }),
  obligatory: z.array(lack).meta({
    description: "What must be among them: of an FI, the assessment at every second revalidation.",
  }),
  begin_by: dateField.nullable().meta({
    description: "The last day to begin with what is missing, at three hours a week. A mail is sent a month before.",
    examples: ["2026-08-17"],
  }),
  source,
});

export const PersonRevalidations = z
  .strictObject({
    person_id: idOf<"person">(),
    person_name: z.string().meta({ examples: ["Anna Berg"] }),
    items: z.array(item),
  })
  .meta({ id: "PersonRevalidations" });
export type PersonRevalidations = z.output<typeof PersonRevalidations>;

export const RevalidationListQuery = z.strictObject({ ...paging, person_id: idOf<"person">().optional() });
export type RevalidationFilter = Pick<z.infer<typeof RevalidationListQuery>, "person_id">;
