import { z } from "zod";
import { idOf, instantOut } from "../../../http/fields.ts";

export const SigningKey = z
  .strictObject({
    id: idOf<"signing_key">(),
    thumbprint: z.string().meta({
      description: "The thumbprint of the key (RFC 7638). Compare it with the one that the issuer tells you.",
      examples: ["kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"],
    }),
    public_key: z.string().meta({
      description: "The public key of Ed25519 as PEM.",
      examples: [
        "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n",
      ],
    }),
    created_at: instantOut,
    retired_at: instantOut
      .nullable()
      .meta({ description: "Since then another key signs. What this one signed stays valid.", examples: [null] }),
  })
  .meta({ id: "SigningKey" });
export type SigningKey = z.infer<typeof SigningKey>;
