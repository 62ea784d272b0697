import { Elysia } from "elysia";
import { z } from "zod";
import { permits } from "../../../core/actor.ts";
import { sha256 } from "../../../core/crypto.ts";
import type { EnrollmentId } from "../../../core/ids.ts";
import { requires } from "../../../http/before-validation.ts";
import { idOf } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { fileResponse, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { sendFile } from "../../../http/send-file.ts";
import { documentLanguage } from "../../../identity/language.queries.ts";
import type { Services } from "../../../module.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { findOrganization } from "../../organizations/organizations.queries.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import { requireEnrollment } from "../enrollments/enrollments.queries.ts";
import { readTrainingFile } from "./read-file.queries.ts";

/** `/orgs/{orgId}/training/enrollments/{enrollmentId}/file` */
export const fileRoutes = ({ session }: Http, { keepOpen }: Pick<Services, "keepOpen">): RoutePlugin =>
  new Elysia({ name: "training file", prefix: "/orgs/:orgId/training/enrollments", tags: ["Training"] })
    .use(session)
    .get(
      "/:enrollmentId/file",
      async ({ context, params: { enrollmentId }, request, set }) => {
        using _ = keepOpen(request);
        const { filename, content } = await fileOf(context, enrollmentId);
        const file = { filename, mediaType: "application/pdf", bytes: content.length, hash: sha256(content) };
        return sendFile({ request, set }, file, async function* () {
          yield content;
        });
      },
      {
        transform: requires("training:read", "training:read_own"),
        params: z.object({ orgId: idOf<"organization">(), enrollmentId: idOf<"enrollment">() }),
        response: responses({ 200: fileResponse(["application/pdf"]) }, 401, 404),
        detail: {
          summary: "Download the training file of a student",
          description:
            "A PDF file for an inspector: the organization with its approval, the student, the program, credits, minima, documents, exams, the lessons with grades, remarks and both signatures, and the flights. Without the notes among instructors. It states when it was made, and the SHA-256 of the records that it was made from. It is in the language of the student, or else of their account or the caller's. 404 also for an enrollment that the caller may not see.",
        },
      },
    );

async function fileOf(
  context: InOrganization,
  enrollmentId: EnrollmentId,
): Promise<{ filename: string; content: Uint8Array }> {
  const { actor, tenant, control, clock } = context;
  const { student_id } = await tenant.read((reader) => requireEnrollment(reader, enrollmentId, actor));
  const student = await tenant.read((reader) => findPersonRow(reader, student_id));
  const { value: school } = await control.read((reader) => findOrganization(reader, tenant.id));
  const isOwn = student?.user_id === actor.userId;
  const withRecords = isOwn || (permits(actor, "compliance:read") && permits(actor, "medicals:read"));
  const file = await readTrainingFile(tenant, { enrollmentId, school, now: clock.now(), withRecords });
  const language = await documentLanguage(context, student ?? { language: null, user_id: null }, actor.userId);
  const { filePdf, titleOf } = await import("./pdf/file-pdf.ts");
  const content = Buffer.concat(await Array.fromAsync(filePdf(file, language)));
  return { filename: `${titleOf(file, language)}.pdf`, content };
}
