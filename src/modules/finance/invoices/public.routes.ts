import type { Http } from "../../../http/http.ts";
import { publicList } from "../../../http/public-list.ts";
import { publicResource } from "../../../http/public-resource.ts";
import { findPublicInvoice, listPublicInvoices } from "./invoices.queries.ts";
import { PublicInvoiceListQuery, PublicInvoiceRef } from "./invoices.schemas.ts";
import { publicInvoice, publicInvoiceWithLines } from "./invoices.shapes.ts";

const scope = "public.invoices:read";

/** `/api/v1/public/invoices` */
export const publicInvoiceRoutes = (http: Http) =>
  publicList(http, {
    path: "invoices",
    scope,
    query: PublicInvoiceListQuery,
    item: publicInvoice.schema,
    read: listPublicInvoices,
    summary: "List invoices",
    description:
      "And credit notes and cancellations, the newest first, drafts last. `from` and `to` bound `issued_on`, so with them there are no drafts. With `updated_since`, those drafted or changed since then, in the order of the changes.",
  });

/** `/api/v1/public/invoices/{invoiceId}` */
export const publicInvoiceRoute = (http: Http) =>
  publicResource(http, {
    path: "invoices/:invoiceId",
    scope,
    ref: PublicInvoiceRef,
    schema: publicInvoiceWithLines.schema,
    read: findPublicInvoice,
    summary: "Get an invoice",
    description: "With its line items, and the sums by rate of VAT.",
  });
