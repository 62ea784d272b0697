import { Elysia } from "elysia";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { listPage } from "../../../http/list-page.ts";
import { page, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { listInvoiceLines, listJournal } from "./exports.queries.ts";
import { ExportQuery, invoiceExportLine, journalEntry } from "./exports.shapes.ts";

const csv = "With `Accept: text/csv` the whole period is one file.";

/** `/orgs/{orgId}/finance/journal`, `/orgs/{orgId}/finance/invoices/export` */
export const exportRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "finance exports", prefix: "/orgs/:orgId/finance", tags: ["Finance"] })
    .use(session)
    .get(
      "/journal",
      async ({ context: { tenant }, query }) =>
        listPage(query, (asked) => tenant.read((reader) => listJournal(reader, asked))),
      {
        transform: requires("finance:read"),
        query: ExportQuery,
        response: responses({ 200: page(journalEntry.schema) }, 400, 401, 404),
        detail: {
          summary: "Export the journal",
          description: `Double entries, the oldest day first: the debits of each posting equal its credits. What is recorded late has a greater number than the entries around it. ${csv}`,
        },
      },
    )
    .get(
      "/invoices/export",
      async ({ context: { tenant }, query }) =>
        listPage(query, (asked) => tenant.read((reader) => listInvoiceLines(reader, asked))),
      {
        transform: requires("finance:read"),
        query: ExportQuery,
        response: responses({ 200: page(invoiceExportLine.schema) }, 400, 401, 404),
        detail: {
          summary: "Export the lines of the invoices",
          description: `A row for each line of the invoices, credit notes and cancellations that were sent, the oldest first, since the lines of one invoice can have different VAT. \`from\` and \`to\` bound \`issued_date\`. What was cancelled since is there, too, with its status. ${csv}`,
        },
      },
    );
