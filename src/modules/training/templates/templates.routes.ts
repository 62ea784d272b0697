import { Elysia } from "elysia";
import { z } from "zod";
import { notFound } from "../../../core/errors.ts";
import type { Language } from "../../../core/languages.ts";
import { requires } from "../../../http/before-validation.ts";
import { created } from "../../../http/created.ts";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { importSyllabus } from "../revisions/draft-revision.ts";
import { revisionEntity } from "../revisions/revisions.queries.ts";
import { Template, TemplateListQuery, TemplateRef, TemplateUse } from "./templates.schemas.ts";
import { templates } from "./templates.ts";

const allIn = (language: Language) =>
  templates.map(({ key, syllabusIn }) => {
    const { kind, name, legal_basis, lessons } = syllabusIn(language);
    return { key, kind, name, legal_basis, lesson_count: lessons.length };
  });

/** `/orgs/{orgId}/training/templates` */
export const trainingTemplateRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "training templates", prefix: "/orgs/:orgId/training/templates", tags: ["Training"] })
    .use(session)
    .get("/", ({ query: { language } }) => ({ data: allIn(language) }), {
      transform: requires("training:read", "training:read_own"),
      query: TemplateListQuery,
      response: responses({ 200: data(z.array(Template)) }, 400, 401, 404),
      detail: { summary: "List the built-in syllabi", description: "From which a school makes its own programs." },
    })
    .post(
      "/:key/apply",
      async ({ context, params, body, set }) => {
        const template = templates.find((one) => one.key === params.key);
        if (template === undefined) throw notFound();
        const revision = await importSyllabus(context, template.syllabusIn(body?.language ?? "en"));
        const { program_id, id } = revision.value;
        created(set, `/orgs/${context.actor.orgId}/training/programs/${program_id}/revisions/${id}`);
        return jsonData(revision);
      },
      {
        transform: requires("training:manage"),
        params: TemplateRef,
        body: TemplateUse.optional(),
        response: responses({ 201: data(revisionEntity.shape.schema) }, 400, 401, 404, "program_not_permitted"),
        detail: {
          summary: "Add a training program from a built-in syllabus",
          description:
            "Adds the program and its first revision, as a draft, with all texts in one language. Returns the revision.",
        },
      },
    );
