import { Elysia } from "elysia";
import { z } from "zod";
import type { MemberActor } from "../../../core/actor.ts";
import { contentHash } from "../../../core/content-hash.ts";
import { conflict, type Issue, Problem } from "../../../core/errors.ts";
import { requires } from "../../../http/before-validation.ts";
import { idOf } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { fileResponse, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { sendFile } from "../../../http/send-file.ts";
import type { Services } from "../../../module.ts";
import type { Tenant } from "../../../storage/store.ts";
import type { InvoiceId } from "../invoices.tables.ts";
import { eInvoiceFormats, eInvoiceIssues } from "./e-invoice-issues.ts";
import { invoicePdf } from "./invoice-pdf.ts";
import { readDocument } from "./read-document.queries.ts";

const Ref = z.object({ orgId: idOf<"organization">(), invoiceId: idOf<"invoice">() });

const Query = z.strictObject({
  format: z
    .enum(["pdf", ...eInvoiceFormats])
    .default("pdf")
    .meta({
      description: "`pdf`: for people. `xrechnung`: XML (UBL). `factur-x`: a PDF file that contains XML, also ZUGFeRD.",
      examples: ["pdf"],
    }),
});
type Format = z.infer<typeof Query>["format"];

const mediaTypes = ["application/pdf", "application/xml"] as const;

/** `/orgs/{orgId}/finance/invoices/{invoiceId}/document` */
export const documentRoutes = ({ session }: Http, services: Pick<Services, "eInvoice">): RoutePlugin =>
  new Elysia({ name: "invoice documents", prefix: "/orgs/:orgId/finance/invoices", tags: ["Finance"] })
    .use(session)
    .get(
      "/:invoiceId/document",
      async ({ context: { tenant, actor }, params: { invoiceId }, query: { format }, request, set }) => {
        const { content, ...file } = await documentOf({ tenant, actor }, services, invoiceId, format);
        return sendFile(
          { request, set },
          { ...file, bytes: content.length, hash: contentHash(content) },
          async function* () {
            yield content;
          },
        );
      },
      {
        transform: requires("finance:read", "finance:own"),
        params: Ref,
        query: Query,
        response: responses(
          { 200: fileResponse(mediaTypes) },
          400,
          401,
          404,
          503,
          "e_invoice_incomplete",
          "wrong_status",
        ),
        detail: {
          summary: "Download an invoice",
          description:
            "As it was sent: for people with a QR code for the payment (EPC069-12), or as an e-invoice (EN 16931). 409: it is a draft, or lacks what an e-invoice needs; the message names each field.",
        },
      },
    );

interface By {
  tenant: Tenant;
  actor: MemberActor;
}

async function documentOf(
  { tenant, actor }: By,
  { eInvoice }: Pick<Services, "eInvoice">,
  invoiceId: InvoiceId,
  format: Format,
): Promise<{ content: Uint8Array; filename: string; mediaType: string }> {
  const document = await tenant.read((reader) => readDocument(reader, invoiceId, actor));
  const isXml = format === "xrechnung";
  const file = { filename: `${document.number}.${isXml ? "xml" : "pdf"}`, mediaType: mediaTypes[isXml ? 1 : 0] };
  if (format === "pdf") return { ...file, content: Buffer.concat(await Array.fromAsync(invoicePdf(document))) };
  requireComplete(eInvoiceIssues(document, format));
  const content = await eInvoice(document, format).catch((error: unknown) => {
    if (error instanceof Problem) requireComplete(error.issues ?? []);
    throw error;
  });
  return { ...file, content };
}

/** @throws CONFLICT */
function requireComplete(issues: readonly Issue[]): void {
  if (issues.length === 0) return;
  const list = issues.map(({ path, message }) => `${path}: ${message}`).join(" ");
  // What is set now is in the invoices that are sent from then on, but for `identified`.
  const isMendable = issues.every(({ path }) => path === "seller.register_number");
  const next =
    isMendable || issues.some(({ path }) => path === "void")
      ? ""
      : " It stays as it was sent: void or credit it, and invoice anew.";
  throw conflict("e_invoice_incomplete", `The invoice was sent without what an e-invoice needs. ${list}${next}`);
}
