import { z } from "zod";
import { idOf, longText } from "../../../http/fields.ts";
import { booleanQuery, paging } from "../../../http/query.ts";
import { newOf } from "../../../storage/columns.ts";
import { applicationStatuses } from "../marketplace.tables.ts";

export const applicationStatus = z.enum(applicationStatuses).meta({ examples: ["submitted"] });

export const message = longText(4000).meta({ examples: ["I hold an FI(A) and have 800 hours of instruction."] });

export const NewApplication = newOf("NewApplication", { message });
export type NewApplication = z.infer<typeof NewApplication>;

export const ApplicationStatusChange = z
  .strictObject({
    status: z.enum(["shortlisted", "accepted", "rejected", "withdrawn"]).meta({
      description: "The applicant sets `withdrawn`, the organization the others.",
      examples: ["shortlisted"],
    }),
    note: longText(2000)
      .nullable()
      .default(null)
      .meta({ description: "The applicant and the organization both see it.", examples: ["Please call us."] }),
  })
  .meta({ id: "ApplicationStatusChange" });
export type ApplicationStatusChange = z.infer<typeof ApplicationStatusChange>;

export const ApplicationListQuery = z.strictObject({
  ...paging,
  status: applicationStatus.optional(),
  mine: booleanQuery("Only the caller's own applications, instead of those that the organization received.", true),
});
export type ApplicationFilter = Pick<z.infer<typeof ApplicationListQuery>, "status" | "mine">;

export const ApplicationRef = z.object({ applicationId: idOf<"application">() });
