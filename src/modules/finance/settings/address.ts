import { vatIdIssue } from "../../../core/vat-ids.ts";
import { countryCode, text } from "../../../http/fields.ts";

/** A text that may be null. */
export const optional = (max: number, example: string) =>
  text(max)
    .nullable()
    .meta({ examples: [example] });

/** As it is typed, with spaces or in lower case; an e-invoice has it without. */
export const vatId = text(20)
  .superRefine((id, { addIssue }) => {
    const message = vatIdIssue(id);
    if (message !== undefined) addIssue({ code: "custom", message });
  })
  .nullable()
  .meta({
    description: "It begins with the two letters of its country, and has the form of its member state.",
    examples: ["DE123456789"],
  });

/** A postal address of a seller or a customer. */
export const address = {
  street: optional(160, "Am Flugplatz 1"),
  postcode: optional(20, "63329"),
  city: optional(80, "Egelsbach"),
  country: countryCode.nullable(),
};
