import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import { listPrograms, programEntity } from "./programs.queries.ts";
import { NewProgram, ProgramChange, ProgramListQuery } from "./programs.schemas.ts";
import { addProgram, changeProgram, removeProgram } from "./programs.verbs.ts";

/** `/orgs/{orgId}/training/programs` */
export const programRoutes = (http: Http) =>
  resourceRoutes(http, {
    tag: "Training",
    names: ["a training program", "training programs"],
    path: "training/programs",
    item: "/:programId",
    entity: programEntity,
    reads: ["training:read", "training:read_own"],
    writes: "training:manage",
    list: { description: "Sorted by name.", query: ProgramListQuery, read: listPrograms },
    add: {
      description: "Without a syllabus: add a revision next.",
      body: NewProgram,
      verb: addProgram,
      refuses: ["program_not_permitted"],
    },
    change: { description: "Renames it.", body: ProgramChange, verb: changeProgram },
    remove: {
      description: "Only one without revisions. Returns it as it was.",
      verb: removeProgram,
      refuses: ["program_in_use"],
    },
  });
