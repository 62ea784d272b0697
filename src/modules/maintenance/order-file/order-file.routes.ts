import { Elysia } from "elysia";
import { z } from "zod";
import { toInstant } from "../../../core/clock.ts";
import { sha256 } from "../../../core/crypto.ts";
import type { WorkOrderId } from "../../../core/ids.ts";
import { requires } from "../../../http/before-validation.ts";
import { idOf } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { fileResponse, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { sendFile } from "../../../http/send-file.ts";
import { accountLanguage } from "../../../identity/language.queries.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { findOrganization } from "../../organizations/organizations.queries.ts";
import { readOrderFile } from "./read-order-file.ts";

/** `/orgs/{orgId}/maintenance/work-orders/{workOrderId}/file` */
export const orderFileRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "work order file", prefix: "/orgs/:orgId/maintenance/work-orders", tags: ["Maintenance"] })
    .use(session)
    .get(
      "/:workOrderId/file",
      async ({ context, params: { workOrderId }, request, set }) => {
        const { filename, content } = await fileOf(context, workOrderId);
        const file = { filename, mediaType: "application/pdf", bytes: content.length, hash: sha256(content) };
        return sendFile({ request, set }, file, async function* () {
          yield content;
        });
      },
      {
        transform: requires("maintenance:read"),
        params: z.object({ orgId: idOf<"organization">(), workOrderId: idOf<"workOrder">() }),
        response: responses({ 200: fileResponse(["application/pdf"]) }, 401, 404),
        detail: {
          summary: "Download a work order with its release",
          description:
            "A PDF file for the aircraft's records: the aircraft, what was done, the defects, findings and parts, and the certificate of release to service with a line for the signature. Before the release, it says that it is none. In the language of the caller's account.",
        },
      },
    );

async function fileOf(
  context: InOrganization,
  workOrderId: WorkOrderId,
): Promise<{ filename: string; content: Uint8Array }> {
  const { actor, tenant, control, clock } = context;
  const parts = await tenant.read((reader) => readOrderFile(reader, workOrderId));
  const { value: school } = await control.read((reader) => findOrganization(reader, tenant.id));
  const language = (await accountLanguage(context, actor.userId)) ?? "en";
  const file = { ...parts, school, now: toInstant(clock.now()) };
  const { orderPdf, titleOf } = await import("./order-pdf.ts");
  return { filename: `${titleOf(file, language)}.pdf`, content: await orderPdf(file, language) };
}
