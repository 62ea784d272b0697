import { Elysia } from "elysia";
import { z } from "zod";
import { requires } from "../../../http/before-validation.ts";
import { created } from "../../../http/created.ts";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { listPage } from "../../../http/list-page.ts";
import { paging } from "../../../http/query.ts";
import { idsIn, resourceRoutes } from "../../../http/resource-routes.ts";
import { data, page, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { programEntity } from "../programs/programs.queries.ts";
import { changeRevision, publishRevision, removeRevision, retireRevision } from "./change-revision.ts";
import { draftRevision, importSyllabus } from "./draft-revision.ts";
import { exportSyllabus, lesson, listLessons, listRevisions, revisionEntity } from "./revisions.queries.ts";
import { Syllabus, SyllabusChange } from "./syllabus.schemas.ts";

const reads = ["training:read", "training:read_own"] as const;
const path = "training/programs/:programId/revisions";

/** `/orgs/{orgId}/training/programs/{programId}/revisions` */
export const revisionRoutes = (http: Http): RoutePlugin =>
  resourceRoutes(http, {
    tag: "Training",
    names: ["a revision of a training program", "the revisions of a training program"],
    path,
    item: "/:revisionId",
    entity: revisionEntity,
    reads,
    writes: "training:manage",
    list: {
      description: "The newest first, without their lessons.",
      query: z.strictObject(paging),
      async read(reader, query, ref) {
        await programEntity.row(reader, ref);
        return listRevisions(reader, { ...query, program_id: ref.programId });
      },
    },
    add: {
      summary: "Draft a revision of a training program",
      description:
        "From a whole syllabus. Its `kind` is that of the program. 409 if the organization may not train this, as for an enrollment.",
      body: Syllabus,
      verb: draftRevision,
      refuses: ["program_not_permitted"],
    },
    get: { description: "Without its lessons: they are a list of their own." },
    change: {
      description:
        "Changes the given parts of the syllabus, until a student is enrolled in it. Lessons and items with the same code keep their ids.",
      body: SyllabusChange,
      verb: changeRevision,
      refuses: ["revision_empty", "revision_frozen", "wrong_status"],
    },
    remove: { description: "Only a draft. Returns it as it was.", verb: removeRevision, refuses: ["wrong_status"] },
    actions: {
      publish: {
        summary: "Publish a draft of a revision",
        description:
          "Students can be enrolled in it from then on, with a start from `effective_from` on. It needs lessons, each with at least one item.",
        verb: publishRevision,
        refuses: ["program_not_permitted", "revision_empty", "wrong_status"],
      },
      retire: {
        summary: "Retire a published revision",
        description: "Nobody else can be enrolled in it. Students who are enrolled go on.",
        verb: retireRevision,
        refuses: ["wrong_status"],
      },
    },
  });

/** The lessons of a revision, and its syllabus as one document. */
export const syllabusRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "syllabus", prefix: "/orgs/:orgId/training/programs", tags: ["Training"] })
    .use(session)
    .post(
      "/import",
      async ({ context, body, set }) => {
        const revision = await importSyllabus(context, body);
        const { program_id, id } = revision.value;
        created(set, `/orgs/${context.actor.orgId}/training/programs/${program_id}/revisions/${id}`);
        return jsonData(revision);
      },
      {
        transform: requires("training:manage"),
        body: Syllabus,
        response: responses({ 201: data(revisionEntity.shape.schema) }, 400, 401, 404, "program_not_permitted"),
        detail: {
          summary: "Import a syllabus as a new training program",
          description: "Adds the program and its first revision, as a draft. Returns the revision.",
        },
      },
    )
    .get(
      "/:programId/revisions/:revisionId/export",
      async ({ context, params }) => ({
        data: await context.tenant.read((reader) => exportSyllabus(reader, params as SyllabusRef)),
      }),
      {
        transform: requires(...reads),
        params: idsIn(`${path}/:revisionId`),
        response: responses({ 200: data(Syllabus) }, 401, 404),
        detail: {
          summary: "Export the syllabus of a revision",
          description: "As one document, which another school can import.",
        },
      },
    )
    .get(
      "/:programId/revisions/:revisionId/lessons",
      async ({ context, params, query }) => {
        const { programId, revisionId } = params as SyllabusRef;
        return listPage(query, (query) =>
          context.tenant.read(async (reader) => {
            await revisionEntity.row(reader, { programId, revisionId });
            return listLessons(reader, { ...query, revision_id: revisionId });
          }),
        );
      },
      {
        transform: requires(...reads),
        params: idsIn(`${path}/:revisionId`),
        query: z.strictObject(paging),
        response: responses({ 200: page(lesson.schema) }, 400, 401, 404),
        detail: {
          summary: "List the lessons of a revision",
          description: "In the order of the syllabus, each with its items.",
        },
      },
    );

type SyllabusRef = Parameters<typeof exportSyllabus>[1];
