import { z } from "zod";
import { dateField, idOf, instantOut } from "../../../http/fields.ts";
import { sharedBy } from "../../sharing/sharing.schemas.ts";
import { packTypes } from "../format/manifest.ts";

const digest = (description: string) =>
  z.string().meta({ description, examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"] });

/** What the holder of a link may know: as much as proves the pack, and nothing of its content. */
export const Verification = z
  .strictObject({
    id: idOf<"evidence_pack">(),
    type: z.enum(packTypes).meta({ examples: ["pilot_portable"] }),
    issuer: z.strictObject({
      id: idOf<"organization">(),
      name: z.string().meta({ examples: ["Flugschule Egelsbach"] }),
    }),
    subject: z.strictObject({
      kind: z.enum(["person", "organization"]).meta({ examples: ["person"] }),
      name: z.string().meta({ examples: ["Anna Berg"] }),
    }),
    period: z.strictObject({ from: dateField.nullable(), to: dateField.nullable() }),
    issued_at: instantOut,
    signature_valid: z
      .boolean()
      .meta({ description: "Whether the issuer's key has signed the manifest, which has the digest of each part." }),
    superseded: z.boolean().meta({ description: "Whether there is a newer pack for the same.", examples: [false] }),
    manifest_sha256: digest("SHA-256 of `manifest.json`, the bytes that are signed. Compare it with that of yours."),
    sha256: digest("SHA-256 of the whole file, as the issuer's server has stored it. It is not signed."),
    key: z.strictObject({
      thumbprint: z.string().meta({ examples: ["kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"] }),
      retired_at: instantOut.nullable().meta({ description: "Since then another key signs." }),
    }),
  })
  .meta({ id: "EvidenceVerification" });
export type Verification = z.infer<typeof Verification>;

export const VerificationRef = z.object({ orgId: idOf<"organization">(), vtrId: idOf<"evidence_pack">() });

/** A link may get parameters on its way. */
export const VerificationQuery = z.object(sharedBy);
