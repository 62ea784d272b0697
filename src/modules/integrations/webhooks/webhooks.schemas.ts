/** What the routes of webhook endpoints take. */
import { z } from "zod";
import { subscribableTypes } from "../../../events/catalog.ts";
import { headerName, isReserved, reserved } from "../../../events/custom-headers.ts";
import { idOf, text } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";

const url = text(2048).meta({
  format: "uri",
  description: "Of the receiver: https, at a public address.",
  examples: ["https://hooks.example.com/windsock"],
});

const types = z
  .array(z.enum(subscribableTypes))
  .min(1)
  .refine((names) => new Set(names).size === names.length, "Name each type once.")
  .meta({
    description:
      "Types of event to be told of. One that the catalog lists as not `emitted` yet may be among them: it is told of once it is.",
    examples: [["flight.submitted", "flight.approved"]],
  });

const headers = z
  .record(
    z
      .string()
      .min(1)
      .max(100)
      .regex(headerName, "Must be the name of a header.")
      .refine((name) => !isReserved(name), "This header is set by Windsock or by the connection."),
    z
      .string()
      .max(1024)
      .regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/, "Must be one line of printable ASCII."),
  )
  .refine((given) => Object.keys(given).length <= 20, "There may be 20 headers at most.")
  .refine((given) => {
    const names = Object.keys(given).map((name) => name.toLowerCase());
    return new Set(names).size === names.length;
  }, "Name each header once.")
  .meta({
    description:
      "Sent with each delivery, at most 20. They are kept sealed and shown masked. Refused are names that Windsock or the " +
      `connection sets: ${[...reserved].join(", ")} and X-SVC-*.`,
    examples: [{ "X-Receiver-Token": "s3cret" }],
  });

const description = text(200).meta({ examples: ["Accounting"] });

export const NewWebhookEndpoint = z
  .strictObject({
    url,
    event_types: types,
    description: description.nullable().optional(),
    headers: headers.optional(),
  })
  .meta({ id: "NewWebhookEndpoint" });
export type NewWebhookEndpoint = z.infer<typeof NewWebhookEndpoint>;

export const WebhookEndpointChange = z
  .strictObject({
    url,
    event_types: types,
    description: description.nullable(),
    headers: headers.meta({
      description:
        "Takes the place of all headers there were; `{}` ends them. A value of `***`, as it is shown, keeps the one there is.",
    }),
    enabled: z
      .boolean()
      .meta({ description: "False also cancels what is waiting to be delivered; true starts afresh." }),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, "Nothing to change.")
  .meta({ id: "WebhookEndpointChange", description: "Only what is given changes." });
export type WebhookEndpointChange = z.infer<typeof WebhookEndpointChange>;

export const EndpointRef = z.object({ orgId: idOf<"organization">(), endpointId: idOf<"webhook_endpoint">() });

export const EndpointListQuery = z.object({ ...paging });
