/** Training programs in the search. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { bestMatches } from "../../../storage/best-matches.ts";
import type { Finder } from "../../../storage/finder.ts";
import { field, shape } from "../../../storage/shape.ts";
import { program, programWords } from "./programs.queries.ts";

const { id, name, kind } = program.fields;

const found = shape("FoundProgram", {
  kind: field(z.literal("program"), sql`'program'`),
  id,
  title: name,
  program_kind: kind,
});

const matches = bestMatches({ searched: programWords, shape: found });

/** As the list of programs, for students, too. */
export const programFinder: Finder = {
  permissions: ["training:read", "training:read_own"],
  found: found.schema,
  find: ({ tenant }, search) => tenant.read((reader) => matches(reader, search)),
};
