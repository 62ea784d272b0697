import { Elysia } from "elysia";
import { requires } from "../../../http/before-validation.ts";
import { created } from "../../../http/created.ts";
import type { Http } from "../../../http/http.ts";
import { listPage } from "../../../http/list-page.ts";
import { requestPath } from "../../../http/request-path.ts";
import { data, page, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { refusedSending } from "../invoices/refused-sending.values.ts";
import { listUnbilled } from "./billing.queries.ts";
import {
  Billing,
  FlightRef,
  NewRebilling,
  PayerChange,
  Preview,
  Rebilling,
  UnbilledQuery,
  Waiver,
} from "./billing.schemas.ts";
import { unbilledFlight } from "./billing.shapes.ts";
import { chargeFlight, namePayer, waiveFlight } from "./billing.verbs.ts";
import { previewFlight } from "./preview-flight.ts";
import { readBilling } from "./read-billing.ts";
import { rebillFlight } from "./rebill-flight.ts";

/** `/orgs/{orgId}/finance/unbilled-flights` */
export const unbilledRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "unbilled flights", prefix: "/orgs/:orgId/finance/unbilled-flights", tags: ["Finance"] })
    .use(session)
    .get(
      "",
      async ({ context, query }) =>
        listPage(query, (query) => context.tenant.read((reader) => listUnbilled(reader, query))),
      {
        transform: requires("finance:read"),
        query: UnbilledQuery,
        response: responses({ 200: page(unbilledFlight.schema) }, 400, 401, 404),
        detail: {
          summary: "List approved flights that are not charged",
          description: "Of which a part could not be charged, the oldest day first, with what is missing.",
        },
      },
    );

/** `/orgs/{orgId}/finance/flights/{flightId}` */
export const billingRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "finance flights", prefix: "/orgs/:orgId/finance/flights", tags: ["Finance"] })
    .use(session)
    .get(
      "/:flightId",
      async ({ context: { actor, tenant }, params: { flightId } }) => ({
        data: await tenant.read((reader) => readBilling(reader, { flightId, actor })),
      }),
      {
        transform: requires("finance:read", "finance:own"),
        params: FlightRef,
        response: responses({ 200: data(Billing) }, 401, 404),
        detail: {
          summary: "Read what a flight is charged",
          description:
            "Its status, who pays, and its charges. Members without `finance:read` see flights that they pay.",
        },
      },
    )
    .get("/:flightId/preview", async ({ context, params }) => ({ data: await previewFlight(context, params) }), {
      transform: requires("finance:read", "finance:own"),
      params: FlightRef,
      response: responses({ 200: data(Preview) }, 401, 404, "wrong_status"),
      detail: {
        summary: "Preview what a flight will cost",
        description:
          "Of a flight that is not approved yet, by the rules of its approval. Members without `finance:read` see flights that they pay.",
      },
    })
    .patch(
      "/:flightId",
      async ({ context, params, body }) => ({ data: await namePayer(context, { ...params, ...body }) }),
      {
        transform: requires("finance:manage"),
        params: FlightRef,
        body: PayerChange,
        response: responses(
          { 200: data(Billing) },
          400,
          401,
          404,
          "charge_invoiced",
          "flight_imported",
          "wrong_status",
        ),
        detail: {
          summary: "Name who pays a flight",
          description: "Before or after its approval. An approved flight is charged anew, unless it is waived.",
        },
      },
    )
    .post("/:flightId/charge", async ({ context, params }) => ({ data: await chargeFlight(context, params) }), {
      transform: requires("finance:manage"),
      params: FlightRef,
      response: responses({ 200: data(Billing) }, 401, 404, "charge_invoiced", "flight_imported", "wrong_status"),
      detail: {
        summary: "Charge an approved flight",
        description:
          "By the rates of its day, for example after a missing rate was added. What is open is taken back first.",
      },
    })
    .post(
      "/:flightId/rebill",
      async ({ context, params, body, request, set }) => {
        const rebilled = await rebillFlight(context, { ...params, ...body });
        const [path = ""] = requestPath(request).split("/flights/");
        const made = rebilled.invoice_id ?? rebilled.credit_note_ids[0];
        created(set, made === undefined ? requestPath(request).replace(/\/rebill$/, "") : `${path}/invoices/${made}`);
        return { data: rebilled };
      },
      {
        transform: requires("finance:manage"),
        params: FlightRef,
        body: NewRebilling,
        response: responses(
          { 201: data(Rebilling) },
          400,
          401,
          404,
          "flight_imported",
          "wrong_status",
          ...refusedSending,
        ),
        detail: {
          summary: "Credit a flight and bill it again",
          description:
            "To another payer, or anew to the same: by one request, whether the flight was invoiced or not. Drafts, and sends if wanted, credit notes for what is left of its charges that were sent, and the invoice of the new payer. If one of them can't be sent, nothing is done. Charges on drafts are taken off.",
        },
      },
    )
    .post(
      "/:flightId/waive",
      async ({ context, params, body }) => ({ data: await waiveFlight(context, { ...params, ...body }) }),
      {
        transform: requires("finance:manage"),
        params: FlightRef,
        body: Waiver,
        response: responses(
          { 200: data(Billing) },
          400,
          401,
          404,
          "charge_invoiced",
          "flight_imported",
          "wrong_status",
        ),
        detail: {
          summary: "Waive a flight",
          description: "Nobody pays it. Its open charges are taken back. Requires a reason.",
        },
      },
    );
