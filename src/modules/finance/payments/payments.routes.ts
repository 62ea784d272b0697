import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { allocatePayment } from "./allocate-payment.ts";
import { findPayment, listPayments, paymentEntity } from "./payments.queries.ts";
import { NewAllocation, NewPayment, NewRefund, PaymentListQuery } from "./payments.schemas.ts";
import { recordPayment } from "./record-payment.ts";
import { refundPayment } from "./refund.ts";

/** `/orgs/{orgId}/finance/payments` */
export const paymentRoutes = (http: Http): RoutePlugin =>
  resourceRoutes(http, {
    tag: "Finance",
    names: ["a payment", "payments"],
    path: "finance/payments",
    item: "/:paymentId",
    entity: paymentEntity,
    reads: ["finance:read", "finance:own"],
    writes: "finance:manage",
    list: {
      description: "The newest day first. Members without `finance:read` see their own.",
      query: PaymentListQuery,
      read: (reader, query, { actor }) => listPayments(reader, actor, query),
    },
    add: {
      summary: "Record a payment",
      description:
        "Of an invoice, also in part, or on account of a person. Emits `payment.received`. Send an `Idempotency-Key`, so that a repeated request records it once.",
      body: NewPayment,
      verb: recordPayment,
      refuses: ["invoice_not_payable"],
    },
    get: {
      description: "What it settles, and what was given back. Returns 404 also for one that the caller may not see.",
      read: (reader, { paymentId, actor }) => findPayment(reader, paymentId, actor),
    },
    actions: {
      allocate: {
        summary: "Settle an invoice by a payment",
        description: "By what of the payment is on account.",
        body: NewAllocation,
        verb: allocatePayment,
        refuses: ["invoice_not_payable", "nothing_on_account"],
      },
      refund: {
        summary: "Refund a payment",
        description:
          "Or a part: first what is on account, then what settled invoices, which are then `sent` or `overdue` again.",
        body: NewRefund,
        verb: refundPayment,
        refuses: ["nothing_to_refund"],
      },
    },
  });
