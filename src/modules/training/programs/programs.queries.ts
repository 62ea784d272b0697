import { idOf, stampsOut } from "../../../http/fields.ts";
import { rowShape } from "../../../storage/columns.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { knownBy } from "../../../storage/names.ts";
import { ascending, listOf } from "../../../storage/page.ts";
import { searchable } from "../../../storage/search-words.ts";
import { trainingPrograms as table } from "../training.tables.ts";
import { programFields } from "./programs.schemas.ts";

export const program = rowShape("TrainingProgram", table, { id: idOf<"program">(), ...programFields, ...stampsOut });

/** Beside the ids of programs. */
export const programName = knownBy(table, "name", "PPL(A)");

export const programWords = searchable({
  list: "program",
  from: table,
  id: table.id,
  texts: [table.name],
});

export const programEntity = entityOf("training_program", {
  table,
  shape: program,
  path: { programId: table.id },
  words: programWords,
});

/** Returns JSON text, sorted by name. */
export const listPrograms = listOf(program, { from: table, orderBy: ascending(program, "name", "id") });
