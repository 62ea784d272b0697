/** The fields of a webhook endpoint and the input of the routes. */
import { z } from "zod";
import { formats } from "../../../core/formats.ts";
import { issueCodes } from "../../../core/issues.ts";
import { subscribableTypes } from "../../../events/catalog.ts";
import { headerName, isReserved, mask, reserved } from "../../../events/custom-headers.ts";
import { idOf, text } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { fault } from "../../../http/schema-fault.ts";
import { changeOf, inputs } from "../../../storage/columns.ts";

const aboutUrl = {
  description: "The address of the receiver: https, at a public address.",
  examples: ["https://hooks.example.com/windsock"],
};

/** The verbs store the URL in normal form, which may be longer. */
const url = { in: text(2048).meta({ format: "uri", ...aboutUrl }), out: z.string().meta(aboutUrl) };

const event_types = z
  .array(z.enum(subscribableTypes))
  .min(1)
  .refine((names) => new Set(names).size === names.length, issueCodes.repeated)
  .meta({
    description: "The types of events to send.",
    examples: [["flight.submitted", "flight.approved"]],
  });

const description = text(200)
  .nullable()
  .meta({ examples: ["Accounting"] });

/** The fields that are set when an endpoint is created. */
export const endpointFields = { url, description, event_types };

export const enabled = z.boolean().meta({
  description: "Disabling cancels pending deliveries. An enabled endpoint gets the events that occur from then on.",
});

const headerValue = z
  .string()
  .max(1024)
  .regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/, formats.header_value);

const givenHeaders = z
  .record(
    z
      .string()
      .min(1)
      .max(100)
      .regex(headerName, formats.header_name)
      .refine((name) => !isReserved(name), issueCodes.reserved_name),
    headerValue,
  )
  .refine((given) => Object.keys(given).length <= 20, fault("too_many", { max: 20 }))
  .refine((given) => {
    const names = Object.keys(given).map((name) => name.toLowerCase());
    return new Set(names).size === names.length;
  }, issueCodes.repeated)
  .meta({
    description:
      "Headers of each delivery, at most 20. They are stored encrypted, and responses mask their values. Names that Windsock or " +
      `the connection sets are rejected: ${[...reserved].join(", ")} and X-SVC-*.`,
    examples: [{ "X-Receiver-Token": "s3cret" }],
  });

export const headers = {
  in: givenHeaders,
  out: z.record(z.string(), z.literal(mask)).meta({
    description: "Headers of each delivery, with masked values.",
    examples: [{ "X-Receiver-Token": mask }],
  }),
};

const creatable = inputs(endpointFields);

export const NewWebhookEndpoint = z
  .strictObject({
    ...creatable,
    description: creatable.description.default(null),
    headers: headers.in.default({}),
  })
  .meta({ id: "NewWebhookEndpoint" });
export type NewWebhookEndpoint = z.infer<typeof NewWebhookEndpoint>;

const changedHeaders = givenHeaders.meta({
  description: `Replaces all headers; \`{}\` removes them. The value \`${mask}\`, as responses show it, keeps the current value.`,
});

export const WebhookEndpointChange = changeOf("WebhookEndpointChange", {
  ...endpointFields,
  headers: changedHeaders,
  enabled,
});
export type WebhookEndpointChange = z.infer<typeof WebhookEndpointChange>;

export const EndpointRef = z.object({ orgId: idOf<"organization">(), endpointId: idOf<"webhook_endpoint">() });

export const EndpointListQuery = z.strictObject({ ...paging });
