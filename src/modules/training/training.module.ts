import type { Module } from "../../module.ts";
import { enrollmentRoutes, migrationRoutes } from "./enrollments/enrollments.routes.ts";
import { examRoutes } from "./exams/exams.routes.ts";
import { fileRoutes } from "./file/file.routes.ts";
import { groundSessionRoutes } from "./ground-sessions/ground-sessions.routes.ts";
import { lessonRecordRoutes } from "./lesson-records/lesson-records.routes.ts";
import { programFinder } from "./programs/find-programs.queries.ts";
import { programRoutes } from "./programs/programs.routes.ts";
import { progressRoutes, publicProgressRoutes, studentsProgressRoutes } from "./progress/progress.routes.ts";
import { restrictionRoutes } from "./restriction/restriction.routes.ts";
import { revisionRoutes, syllabusRoutes } from "./revisions/revisions.routes.ts";
import { publicSignoffRoutes, signoffRoutes } from "./signoffs/signoffs.routes.ts";
import { trainingTemplateRoutes } from "./templates/templates.routes.ts";
import { signoffRecorded } from "./training.events.ts";
import { trainingFollows } from "./training.follows.ts";
import { trainingPersonal } from "./training.personal.ts";
import * as tables from "./training.tables.ts";
import { trainingChanges } from "./training-changes.queries.ts";

export const training = {
  capability: "training",
  tables: { tenant: tables },
  routes: (http, { capabilities, keepOpen }) => [
    programRoutes(http),
    revisionRoutes(http),
    syllabusRoutes(http),
    trainingTemplateRoutes(http),
    enrollmentRoutes(http, capabilities.has("finance")),
    migrationRoutes(http),
    groundSessionRoutes(http),
    examRoutes(http),
    lessonRecordRoutes(http),
    signoffRoutes(http),
    publicSignoffRoutes(http),
    fileRoutes(http, { keepOpen }),
    progressRoutes(http),
    studentsProgressRoutes(http),
    restrictionRoutes(http),
    publicProgressRoutes(http),
  ],
  events: [signoffRecorded],
  personal: trainingPersonal,
  follows: trainingFollows,
  search: [programFinder],
  changes: trainingChanges,
  tags: { Training: "Programs, enrollments, progress, signoffs and exams." },
} satisfies Module;
