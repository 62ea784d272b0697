import { z } from "zod";
import { TokenPair, wantsCookie } from "../accounts.schemas.ts";
import { accountTypes } from "../accounts.tables.ts";

const accountType = z.enum(accountTypes).meta({
  description: "`org`: to act in an organization; requires a membership. `pilot`: to act for oneself only.",
  examples: ["org"],
});

const token = z
  .string()
  .min(1)
  .max(200)
  .meta({
    description: "Valid for one exchange within 60 seconds.",
    examples: ["b0gVx2cQ9c5nJ8Wl3mDk7rT1yZ6sAeHfUoPqRiKjLwE"],
  });

export const EstablishTokenBody = z
  .strictObject({
    account_type: accountType
      .optional()
      .describe("By default `org` for an account with a membership, otherwise `pilot`."),
  })
  .meta({ id: "EstablishToken" });

export const HandoffToken = z
  .strictObject({
    token,
    expires_in: z.int().meta({ description: "Seconds for which the token is valid.", examples: [60] }),
    account_type: accountType,
  })
  .meta({ id: "HandoffToken" });

export const ExchangeBody = z.strictObject({ token, cookie: wantsCookie }).meta({ id: "EstablishExchange" });

export const HandedOff = TokenPair.extend({ account_type: accountType }).meta({ id: "HandedOffSession" });
