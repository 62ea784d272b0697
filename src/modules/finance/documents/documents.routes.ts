import { Elysia } from "elysia";
import { z } from "zod";
import type { MemberActor } from "../../../core/actor.ts";
import type { Clock } from "../../../core/clock.ts";
import { sha256 } from "../../../core/crypto.ts";
import { conflict, type Issue, Problem } from "../../../core/errors.ts";
import { requires } from "../../../http/before-validation.ts";
import { idOf } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { fileResponse, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { sendStoredFile } from "../../../http/send-file.ts";
import type { Services } from "../../../module.ts";
import type { Tenant } from "../../../storage/store.ts";
import { documentFormats } from "../documents.tables.ts";
import type { InvoiceId } from "../invoices.tables.ts";
import { titleOf } from "./draw-head.ts";
import type { EInvoices } from "./e-invoice.ts";
import { eInvoiceIssues } from "./e-invoice-issues.ts";
import type { InvoiceDocument } from "./invoice-document.ts";
import { contentOf, type DocumentFormat, type KeptDocument, keepDocument, keptDocument } from "./kept-documents.ts";
import { readDocument } from "./read-document.queries.ts";

const Ref = z.object({ orgId: idOf<"organization">(), invoiceId: idOf<"invoice">() });

const Query = z.strictObject({
  format: z
    .enum(documentFormats)
    .default("pdf")
    .meta({
      description: "`pdf`: for people. `xrechnung`: XML (UBL). `factur-x`: a PDF file that contains XML, also ZUGFeRD.",
      examples: ["pdf"],
    }),
});
const mediaTypes = ["application/pdf", "application/xml"] as const;

interface MakesEInvoices extends Pick<Services, "keepOpen"> {
  eInvoices: EInvoices;
}

/** `/orgs/{orgId}/finance/invoices/{invoiceId}/document` */
export const documentRoutes = ({ session }: Http, services: MakesEInvoices): RoutePlugin =>
  new Elysia({ name: "invoice documents", prefix: "/orgs/:orgId/finance/invoices", tags: ["Finance"] })
    .use(session)
    .get(
      "/:invoiceId/document",
      async ({ context: { tenant, actor, clock }, params: { invoiceId }, query: { format }, request, set }) => {
        // Others may be before it.
        services.keepOpen(request);
        const by = { tenant, actor, clock, signal: request.signal };
        const { filename, mediaType, bytes, sha256, content } = await documentOf(by, services, invoiceId, format);
        return sendStoredFile({ request, set }, { filename, mediaType, bytes, hash: sha256 }, content);
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
          "content_damaged",
          "content_removed",
          "e_invoice_incomplete",
          "wrong_status",
        ),
        detail: {
          summary: "Download an invoice",
          description:
            "As it was sent: for people with a QR code for the payment (EPC069-12), or as an e-invoice (EN 16931). It is made at the first download, and has the same bytes at each further one. 409: it is a draft, or lacks what an e-invoice needs; `fields` names each field. 410: the buyer's data was erased, and the documents with it.",
        },
      },
    );

interface By {
  tenant: Tenant;
  actor: MemberActor;
  clock: Clock;
  /** Aborted when the client has left. */
  signal: AbortSignal;
}

interface Sent {
  filename: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  content(): AsyncGenerator<Uint8Array>;
}

async function documentOf(
  by: By,
  services: MakesEInvoices,
  invoiceId: InvoiceId,
  format: DocumentFormat,
): Promise<Sent> {
  const { tenant, actor } = by;
  const document = await tenant.read((reader) => readDocument(reader, invoiceId, actor));
  const isXml = format === "xrechnung";
  const file = {
    filename: `${titleOf(document)} ${document.number}.${isXml ? "xml" : "pdf"}`,
    mediaType: mediaTypes[isXml ? 1 : 0],
  };
  // It says that it is void, which the one that is kept may not.
  if (document.void && format === "pdf") return { ...file, ...unkept(await pdfOf(document)) };
  const which = { invoiceId, format };
  const find = () => tenant.read((reader) => keptDocument(reader, which));
  const keep = (content: Uint8Array) => keepDocument(by, which, content);
  const kept =
    (document.void ? undefined : await find()) ?? (await made(by, services, { document, format, find, keep }));
  return { ...file, bytes: kept.size_bytes, sha256: kept.sha256, content: () => contentOf(tenant, kept) };
}

interface Unmade {
  document: InvoiceDocument;
  format: DocumentFormat;
  find(): Promise<KeptDocument | undefined>;
  keep(content: Uint8Array): Promise<KeptDocument>;
}

/** @throws CONFLICT an e-invoice lacks something; UNAVAILABLE */
async function made(
  { tenant, signal }: By,
  { eInvoices }: MakesEInvoices,
  { document, format, find, keep }: Unmade,
): Promise<KeptDocument> {
  if (format === "pdf") return keep(await pdfOf(document));
  requireComplete(eInvoiceIssues(document, format));
  return eInvoices.inTurn({ orgId: tenant.id, signal }, async (make) => {
    // Another request may have made it before this one's turn.
    const found = await find();
    if (found !== undefined) return found;
    const content = await make(document, format).catch((error: unknown) => {
      if (error instanceof Problem) requireComplete(error.issues ?? []);
      throw error;
    });
    return keep(content);
  });
}

async function pdfOf(document: InvoiceDocument): Promise<Buffer> {
  const { invoicePdf } = await import("./invoice-pdf.ts");
  return Buffer.concat(await Array.fromAsync(invoicePdf(document)));
}

const unkept = (content: Uint8Array) => ({
  bytes: content.length,
  sha256: sha256(content),
  async *content() {
    yield content;
  },
});

/** @throws CONFLICT */
function requireComplete(issues: readonly Issue[]): void {
  if (issues.length === 0) return;
  const list = issues.map(({ path, message }) => `${path}: ${message}`).join(" ");
  // What is set now is in the invoices that are sent from then on, but for `identified`.
  const isMendable = issues.every(({ path }) => path === "seller.register_number");
  const next =
    isMendable || issues.some(({ path }) => path === "void")
      ? ""
      : " It stays as it was sent: cancel or credit it, and invoice anew.";
  throw conflict("e_invoice_incomplete", `The invoice was sent without what an e-invoice needs. ${list}${next}`, {
    fields: [...new Set(issues.map(({ path }) => path))],
  });
}
