import { Elysia } from "elysia";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { NewRefund } from "../payments/payments.schemas.ts";
import { refundCreditNote } from "../payments/refund.ts";
import { cancelInvoice } from "./cancel.ts";
import { creditInvoice } from "./credit.ts";
import { findInvoice, invoiceEntity, listInvoices } from "./invoices.queries.ts";
import { InvoiceChange, InvoiceListQuery, InvoiceRun, NewCreditNote, NewInvoice, Voiding } from "./invoices.schemas.ts";
import { listedInvoice } from "./invoices.shapes.ts";
import { changeInvoice, draftInvoice, voidInvoice } from "./invoices.verbs.ts";
import { refusedSending } from "./refused-sending.values.ts";
import { previewRun, runInvoices } from "./run-invoices.ts";
import { Run, RunPreviewQuery } from "./runs.schemas.ts";
import { sendInvoice } from "./send.ts";

/** `/orgs/{orgId}/finance/invoices` */
export const invoiceRoutes = (http: Http): RoutePlugin =>
  resourceRoutes(http, {
    tag: "Finance",
    names: ["an invoice", "invoices"],
    path: "finance/invoices",
    item: "/:invoiceId",
    entity: invoiceEntity,
    reads: ["finance:read", "finance:own"],
    writes: "finance:manage",
    list: {
      description:
        "And credit notes and cancellations without their lines, the newest first, drafts last. `from` and `to` bound `issued_on`. Members without `finance:read` see those that were sent to them.",
      query: InvoiceListQuery,
      item: listedInvoice.schema,
      read: (reader, query, { actor }) => listInvoices(reader, actor, query),
    },
    add: {
      summary: "Draft an invoice",
      description:
        "In the currency of the chosen charges, else in the organization's; of open charges up to a day, of chosen charges, and of lines by hand: at most 200 lines. If the total is negative, it is a credit note. Charges on it are `invoiced`, and `open` again if it is voided.",
      body: NewInvoice,
      verb: draftInvoice,
    },
    get: {
      description: "With its lines. Returns 404 also for one that the caller may not see.",
      read: (reader, { invoiceId, actor }) => findInvoice(reader, invoiceId, actor),
    },
    change: {
      body: InvoiceChange,
      verb: changeInvoice,
      refuses: ["wrong_status"],
      description:
        "Of a draft. Its total decides whether it is an invoice or a credit note, unless it credits an invoice.",
    },
    actions: {
      send: {
        summary: "Send an invoice",
        description:
          "Gives it its number, without gaps in its series and year, and its due date, and freezes it. What the person has on account settles it at once; a credit note settles the invoice that it credits, then the oldest. 409 if it lacks what the law wants on an invoice, such as an address or a number for VAT: `fields` lists it. Up to 250.00 EUR gross (sellers outside Germany: 100.00) it needs no address of the buyer.",
        verb: sendInvoice,
        refuses: ["wrong_status", ...refusedSending],
      },
      void: {
        summary: "Void a draft",
        description: "Its charges are open again. What was sent is cancelled, or credited.",
        body: Voiding,
        verb: voidInvoice,
        refuses: ["wrong_status"],
      },
      cancel: {
        summary: "Cancel an invoice",
        description:
          "One that was sent, or a credit note, while nothing of it is paid or credited. Returns the cancellation: a document with the next number of the credit notes and the opposite amounts, which names what it cancels in `cancels_id`, is sent at once, and is final. What it cancels is `void`, names it in `cancelled_by_id`, and its documents stay as they are. Its charges are open again.",
        body: Voiding,
        verb: cancelInvoice,
        creates: true,
        refuses: ["wrong_status", "invoice_settled"],
      },
      credit: {
        summary: "Draft a credit note for an invoice",
        description:
          "Returns the credit note, which is then sent like an invoice. Each of its lines names the line that it credits. NewCreditNote notes, also drafts, and reversals of charges credit no more of a line than was charged, and of its quantity; other lines do not limit it. Discounts on a line (`reduces_id` of their charges) are credited with it: all of them, or the part of a quantity; an amount leaves them, and is at most what both have left. They are not named themselves. The sale of a package is credited in one of three ways. By a `quantity`, that part of its minutes is taken back, rounded down; 409 `package_drawn` if flights drew too many, with the largest `quantity`. By `net_minor`, its price is reduced, and it keeps its minutes. By neither, what flights have not drawn is credited and taken back. Once nothing is left but the price of what was drawn, the package ends. If the draft is voided, or the credit note is cancelled, the package has its minutes again.",
        body: NewCreditNote,
        verb: creditInvoice,
        creates: true,
        refuses: ["wrong_status", "line_credited", "package_drawn", "invoice_not_sendable", "credit_exceeds_line"],
      },
      refund: {
        summary: "Refund a credit note",
        description: "Gives back what it has left, or a part. A payment of an invoice is refunded by itself.",
        body: NewRefund,
        verb: refundCreditNote,
        refuses: ["nothing_to_refund"],
      },
    },
  });

/** `/orgs/{orgId}/finance/invoice-runs` */
export const runRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "invoice runs", prefix: "/orgs/:orgId/finance/invoice-runs", tags: ["Finance"] })
    .use(session)
    .get("/preview", async ({ context, query }) => ({ data: { invoices: await previewRun(context, query) } }), {
      transform: requires("finance:read"),
      query: RunPreviewQuery,
      response: responses({ 200: data(Run) }, 400, 401, 404),
      detail: {
        summary: "Preview a run of invoices",
        description: "Whom a run would invoice, and how much. Nothing is written.",
      },
    })
    .post("", async ({ context, body }) => ({ data: { invoices: await runInvoices(context, body) } }), {
      transform: requires("finance:manage"),
      body: InvoiceRun,
      response: responses({ 200: data(Run) }, 400, 401, 404),
      detail: {
        operationId: "runFinanceInvoices",
        summary: "Run the invoices",
        description:
          "Drafts, and sends if wanted, an invoice for each person with open charges, and each currency of theirs; one of its own for what is `outside_scope`. What can't be sent stays a draft, with the reason. A run that was interrupted is continued by the next.",
      },
    });
