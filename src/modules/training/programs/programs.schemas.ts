import { z } from "zod";
import { text } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { changeOf, newOf } from "../../../storage/columns.ts";
import { programKinds } from "./program-kinds.ts";

const kind = z.enum(programKinds).meta({
  description:
    "What it trains for. A DTO may train `lapl_a`, `ppl_a`, `sep`, `tmg`, `night`, `aerobatic`, `mountain` and `towing`. `other` is training for no licence and no rating, at an ATO or a club.",
  examples: ["ppl_a"],
});
const name = text(120).meta({ examples: ["PPL(A)"] });

export const programFields = { kind, name };

export const NewProgram = newOf("NewTrainingProgram", programFields);
export type NewProgram = z.infer<typeof NewProgram>;

export const ProgramChange = changeOf("TrainingProgramChange", { name });
export type ProgramChange = z.infer<typeof ProgramChange>;

export const ProgramListQuery = z.strictObject({ ...paging, kind: z.enum(programKinds).optional() });
