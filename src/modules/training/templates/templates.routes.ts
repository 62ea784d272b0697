import { Elysia } from "elysia";
import { z } from "zod";
import { notFound } from "../../../core/errors.ts";
import { requires } from "../../../http/before-validation.ts";
import { created } from "../../../http/created.ts";
import { idOf } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { programKinds } from "../programs/program-kinds.ts";
import { importSyllabus } from "../revisions/draft-revision.ts";
import { revisionEntity } from "../revisions/revisions.queries.ts";
import { templates } from "./templates.ts";

const key = z.string().meta({ examples: ["ppl-a"] });
const Template = z
  .strictObject({
    key,
    kind: z.enum(programKinds).meta({ examples: ["ppl_a"] }),
    name: z.string().meta({ examples: ["PPL(A)"] }),
    legal_basis: z.string().meta({ examples: ["FCL.200, FCL.210.A, (EU) 1178/2011"] }),
    lesson_count: z.int().meta({ examples: [26] }),
  })
  .meta({ id: "TrainingTemplate" });

const all = templates.map(({ key, syllabus: { kind, name, legal_basis, lessons } }) => ({
  key,
  kind,
  name,
  legal_basis,
  lesson_count: lessons.length,
}));

/** `/orgs/{orgId}/training/templates` */
export const trainingTemplateRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "training templates", prefix: "/orgs/:orgId/training/templates", tags: ["Training"] })
    .use(session)
    .get("/", () => ({ data: all }), {
      transform: requires("training:read", "training:read_own"),
      response: responses({ 200: data(z.array(Template)) }, 401, 404),
      detail: { summary: "List the built-in syllabi", description: "From which a school makes its own programs." },
    })
    .post(
      "/:key/apply",
      async ({ context, params, set }) => {
        const template = templates.find((one) => one.key === params.key);
        if (template === undefined) throw notFound();
        const revision = await importSyllabus(context, template.syllabus);
        const { program_id, id } = revision.value;
        created(set, `/orgs/${context.actor.orgId}/training/programs/${program_id}/revisions/${id}`);
        return jsonData(revision);
      },
      {
        transform: requires("training:manage"),
        params: z.object({ orgId: idOf<"organization">(), key }),
        response: responses({ 201: data(revisionEntity.shape.schema) }, 401, 404, "program_not_permitted"),
        detail: {
          summary: "Add a training program from a built-in syllabus",
          description: "Adds the program and its first revision, as a draft. Returns the revision.",
        },
      },
    );
