import { z } from "zod";
import { revisionPattern } from "./revision.ts";

const revision = z.string().meta({
  description: "The position of the stream after this event. Send it as `Last-Event-ID` to go on from here.",
  examples: ["42.9f86d081884c7d65-17.60303ae22b998861"],
});

/** `unavailable`: the server stops, or can't read the records. */
export const endings = ["access_changed", "token_expired", "too_many_streams", "unavailable"] as const;
export type Ending = (typeof endings)[number];

/** The data of the events, by their names. */
export const Change = z
  .union([
    z
      .strictObject({
        kind: z.string().meta({ description: "As `subject.kind` in the audit log.", examples: ["flight"] }),
        id: z.string().meta({ examples: ["01890a5d-ac96-774b-bcce-b302099a8057"] }),
        revision,
      })
      .meta({ description: "`change`: a record was added, changed or removed. Read it to learn how." }),
    z
      .strictObject({ revision })
      .meta({ description: "`reset`: load everything anew. From here on, the stream misses nothing." }),
    z
      .strictObject({ reason: z.enum(endings).meta({ examples: ["token_expired"] }) })
      .meta({ description: "`end`: the last event. Connect again, with the last revision." }),
  ])
  .meta({ id: "ChangeEvent" });

export const ChangesQuery = z.strictObject({
  after: z
    .string()
    .regex(revisionPattern)
    .optional()
    .meta({
      description: "As `Last-Event-ID`, which takes precedence: the last revision that the client knows.",
      examples: ["42.9f86d081884c7d65-17.60303ae22b998861"],
    }),
});
