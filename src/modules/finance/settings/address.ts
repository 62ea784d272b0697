import { z } from "zod";
import { text } from "../../../http/fields.ts";

/** A text that may be null. */
export const optional = (max: number, example: string) =>
  text(max)
    .nullable()
    .meta({ examples: [example] });

/** As it is typed, with spaces or in lower case; an e-invoice has it without (BR-CO-9: its country comes first). */
export const vatId = text(20)
  .refine((id) => /^[A-Z]{2}/i.test(id), "Must begin with the two letters of its country, such as DE123456789.")
  .nullable()
  .meta({ description: "It begins with the two letters of its country.", examples: ["DE123456789"] });

/** A postal address of a seller or a customer. */
export const address = {
  street: optional(160, "Am Flugplatz 1"),
  postcode: optional(20, "63329"),
  city: optional(80, "Egelsbach"),
  country: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, "Must be a country code of two letters, such as DE.")
    .nullable()
    .meta({ description: "ISO 3166-1, two letters.", examples: ["DE"] }),
};
