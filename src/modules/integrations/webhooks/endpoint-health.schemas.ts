import { z } from "zod";
import { instantOut } from "../../../http/fields.ts";

export const endpointHealthSchema = z
  .strictObject({
    since: instantOut.meta({ description: "24 hours ago. The figures count the attempts that started since then." }),
    attempts: z.int().meta({
      description: "Attempts of the newest 2000 deliveries at most.",
      examples: [120],
    }),
    succeeded: z.int().meta({ examples: [117] }),
    success_rate: z
      .number()
      .nullable()
      .meta({ description: "From 0 to 1; null if there are no attempts.", examples: [0.975] }),
    p50_ms: z
      .int()
      .nullable()
      .meta({ description: "The median duration in milliseconds.", examples: [84] }),
    p95_ms: z
      .int()
      .nullable()
      .meta({ description: "The 95th percentile of the durations in milliseconds.", examples: [310] }),
    last_success_at: instantOut.nullable().meta({ description: "The last success among the deliveries in the log." }),
    last_failure: z
      .strictObject({
        at: instantOut,
        error_class: z.string().meta({
          description:
            "`timeout`, `dns`, `refused_address`, `connect`, `tls`, `no_response`, `redirect`, `status`, or `secret`: the signing secret can't be decrypted.",
          examples: ["timeout"],
        }),
      })
      .nullable(),
    failing_since: instantOut.nullable().meta({
      description: "When the first attempt after the last success failed.",
      examples: [null],
    }),
  })
  .meta({ id: "EndpointHealth" });

export type EndpointHealth = z.infer<typeof endpointHealthSchema>;
