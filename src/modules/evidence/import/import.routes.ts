import { Elysia } from "elysia";
import { z } from "zod";
import { formats } from "../../../core/formats.ts";
import { requires } from "../../../http/before-validation.ts";
import { MEBIBYTE } from "../../../http/body-limits.ts";
import { idOf } from "../../../http/fields.ts";
import { fileBody } from "../../../http/file-body.ts";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { enrollment } from "../../training/enrollments/enrollments.shapes.ts";
import { importPackCredits } from "./import-credits.ts";

/** The pack of 20,000 flights has 13.3 MiB. */
const Pack = fileBody(15 * MEBIBYTE, ["application/zip", "application/octet-stream"]);

const Query = z.strictObject({
  key: z
    .string()
    .regex(/^[\w-]{43}$/, formats.thumbprint)
    .meta({
      description: "The thumbprint of the issuer's key. Have it from the issuer, not from the pack.",
      examples: ["kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"],
    }),
  source_enrollment_id: idOf<"enrollment">().optional().meta({
    description: "The enrollment in the pack, if there are several in a program of this kind.",
  }),
});

/** `/orgs/{orgId}/training/enrollments/{enrollmentId}/credits/import` */
export const creditsImportRoute = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "credits import", prefix: "/orgs/:orgId/training/enrollments", tags: ["Training"] })
    .use(session)
    .post(
      "/:enrollmentId/credits/import",
      async ({ context, params: { enrollmentId }, query: { key, source_enrollment_id: from }, body }) => {
        body.checkHeaders();
        const credited = await importPackCredits(context, { enrollmentId, file: body, key, from });
        return credited instanceof Response ? credited : jsonData(credited);
      },
      {
        transform: requires("training:manage"),
        params: z.object({ orgId: idOf<"organization">(), enrollmentId: idOf<"enrollment">() }),
        query: Query,
        body: Pack,
        response: responses(
          { 200: data(enrollment.schema) },
          400,
          401,
          404,
          "limit_reached",
          "other_subject",
          "own_training",
          "pack_not_valid",
          "pack_outdated",
          "training_not_in_pack",
          "wrong_status",
        ),
        detail: {
          summary: "Import credits from an evidence pack",
          description:
            "Credits what the student was trained at another school, from the `pilot_portable` pack of that school: what the pack says was flown there, by measure. The pack is verified with the given key as it arrives. A newer pack about the same training replaces its credits; an older one is refused. The person must be the same: 409 says whether the date of birth, the licence number or the name differs. Nobody imports credits for themselves.",
        },
      },
    );
