import { z } from "zod";
import { instantOut } from "../../../http/fields.ts";

export const endpointHealthSchema = z
  .strictObject({
    since: instantOut.meta({ description: "24 hours ago: the figures are of attempts begun since." }),
    attempts: z.int().meta({
      description: "Of the newest 2000 deliveries at most.",
      examples: [120],
    }),
    succeeded: z.int().meta({ examples: [117] }),
    success_rate: z
      .number()
      .nullable()
      .meta({ description: "From 0 to 1; null without attempts.", examples: [0.975] }),
    p50_ms: z
      .int()
      .nullable()
      .meta({ description: "How long half of the attempts took at most.", examples: [84] }),
    p95_ms: z
      .int()
      .nullable()
      .meta({ description: "How long 95 of 100 took at most.", examples: [310] }),
    last_success_at: instantOut.nullable().meta({ description: "Of the deliveries that are kept." }),
    last_failure: z
      .strictObject({
        at: instantOut,
        error_class: z.string().meta({
          description:
            "`timeout`, `dns`, `refused_address`, `connect`, `tls`, `redirect`, `status`, or `secret`: its secrets can't be read here.",
          examples: ["timeout"],
        }),
      })
      .nullable(),
    failing_since: instantOut.nullable().meta({
      description: "When the first attempt failed that no success has followed.",
      examples: [null],
    }),
  })
  .meta({ id: "EndpointHealth" });

export type EndpointHealth = z.infer<typeof endpointHealthSchema>;
