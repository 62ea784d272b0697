import type { Module } from "../../module.ts";
import { enrollmentRoutes, migrationRoutes } from "./enrollments/enrollments.routes.ts";
import { programRoutes } from "./programs/programs.routes.ts";
import { revisionRoutes, syllabusRoutes } from "./revisions/revisions.routes.ts";
import { trainingTemplateRoutes } from "./templates/templates.routes.ts";
import * as tables from "./training.tables.ts";

export const training = {
  capability: "training",
  tables: { tenant: tables },
  routes: (http) => [
    programRoutes(http),
    revisionRoutes(http),
    syllabusRoutes(http),
    trainingTemplateRoutes(http),
    enrollmentRoutes(http),
    migrationRoutes(http),
  ],
  tags: { Training: "Programmes, enrollments, progress, signoffs and exams." },
} satisfies Module;
