import { z } from "zod";
import { idOf, languageOfTexts } from "../../../http/fields.ts";
import { programKinds } from "../programs/program-kinds.ts";

export const TemplateListQuery = z.strictObject({ language: languageOfTexts });

/** The body is optional. */
export const TemplateUse = z.strictObject({ language: languageOfTexts }).meta({ id: "TrainingTemplateUse" });

const key = z.string().meta({ examples: ["ppl-a"] });

export const TemplateRef = z.object({ orgId: idOf<"organization">(), key });

export const Template = z
  .strictObject({
    key,
    kind: z.enum(programKinds).meta({ examples: ["ppl_a"] }),
    name: z.string().meta({ examples: ["PPL(A)"] }),
    legal_basis: z.string().meta({ examples: ["FCL.200, FCL.210.A, (EU) 1178/2011"] }),
    lesson_count: z.int().meta({ examples: [26] }),
  })
  .meta({ id: "TrainingTemplate" });
