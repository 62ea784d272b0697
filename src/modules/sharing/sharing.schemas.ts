/** The fields of a share token and the input of the routes. */
import { z } from "zod";
import { shownAs } from "../../http/documented-as.ts";
import { idOf, instant, instantOut, nullable, text } from "../../http/fields.ts";
import { paging } from "../../http/query.ts";
import { columns, newOf } from "../../storage/columns.ts";
import { accountName, names } from "../../storage/names.ts";
import { type Resource, shape } from "../../storage/shape.ts";
import { purposes, shareTokens as table } from "./sharing.tables.ts";

const expiry = nullable(instant);
const expiryDescription = { description: "The token is invalid from this instant on; null: it does not expire." };

const fields = {
  purpose: z.enum(purposes).meta({
    description: "`vtr`: to verify an evidence pack. `calendar`: to subscribe to a calendar.",
    examples: ["calendar"],
  }),
  subject_id: idOf<string>().meta({
    description:
      "The id of the evidence pack; of the person, the aircraft, the room or the organization whose calendar it is.",
  }),
  name: text(80).meta({ description: "Who gets the token, or where it is used.", examples: ["My phone"] }),
  expires_at: {
    in: expiry.in.meta({ ...expiryDescription, ...shownAs("2099-12-31T00:00:00.000Z") }),
    out: expiry.out.meta({ ...expiryDescription, examples: [null] }),
  },
};

export const shareToken = shape("ShareToken", {
  ...columns(table, {
    id: idOf<"share_token">(),
    ...fields,
    created_by: idOf<"user">().nullable().meta({ description: "Null: it was made with an evidence pack." }),
    created_at: instantOut,
    revoked_at: instantOut.nullable().meta({ examples: [null] }),
  }),
  ...names(table, { created_by: accountName }),
});
export type ShareToken = Resource<typeof shareToken>;

/** A token as it is created. */
export const CreatedShareToken = shareToken.schema
  .extend({
    token: z.string().meta({
      description: "The token itself. It is shown once and stored only as a hash.",
      examples: ["Xo9m1eJ3wJk5q0Zs7f2uVY8bTn4cRg6hLpQaDxWiEyM"],
    }),
  })
  .meta({ id: "CreatedShareToken" });
export type CreatedShareToken = z.infer<typeof CreatedShareToken>;

export const NewShareToken = newOf("NewShareToken", fields);
export type NewShareToken = z.infer<typeof NewShareToken>;

/** The token in a query. Whatever is wrong with it, the answer is 404, so it has no rules of its own. */
export const sharedBy = {
  token: z
    .string()
    .default("")
    .meta({ description: "A share token.", examples: ["Xo9m1eJ3wJk5q0Zs7f2uVY8bTn4cRg6hLpQaDxWiEyM"] }),
};

export const ShareTokenRef = z.object({ orgId: idOf<"organization">(), shareTokenId: idOf<"share_token">() });

export const ShareTokenListQuery = z.strictObject({
  ...paging,
  subject_id: idOf<string>().optional().meta({ description: "Only the tokens for this." }),
});
export type ShareTokenListQuery = z.infer<typeof ShareTokenListQuery>;
