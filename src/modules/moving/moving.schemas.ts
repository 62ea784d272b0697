import { z } from "zod";

/** What an export is encrypted with. Somebody who has the file can try passphrases as fast as machines are: it must be long. */
export const passphrase = z
  .string()
  .min(16)
  .max(200)
  .meta({
    override: { type: "string", format: "password", minLength: 16, maxLength: 200 },
    description: "16 to 200 characters, such as five random words. Without it, nobody opens the file.",
    examples: ["correct horse battery staple"],
  });

export const NewSchoolExport = z.strictObject({ passphrase }).meta({ id: "NewSchoolExport" });
