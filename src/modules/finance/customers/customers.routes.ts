import { Elysia } from "elysia";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { changeCustomer } from "./change-customer.ts";
import { findCustomer } from "./customers.queries.ts";
import { CustomerChange, CustomerRef } from "./customers.schemas.ts";
import { customer } from "./customers.shapes.ts";

/** `/orgs/{orgId}/finance/customers/{personId}` */
export const customerRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "finance customers", prefix: "/orgs/:orgId/finance/customers", tags: ["Finance"] })
    .use(session)
    .get(
      "/:personId",
      async ({ context: { actor, tenant }, params }) =>
        jsonData(await tenant.read((reader) => findCustomer(reader, params.personId, actor))),
      {
        transform: requires("finance:read", "finance:own"),
        params: CustomerRef,
        response: responses({ 200: data(customer.schema) }, 401, 404),
        detail: {
          summary: "Get how a person is charged",
          description: "Each person is a customer. Members without `finance:read` see themselves.",
        },
      },
    )
    .patch(
      "/:personId",
      async ({ context, params, body }) =>
        jsonData(await changeCustomer(context, { personId: params.personId, change: body })),
      {
        transform: requires("finance:manage"),
        params: CustomerRef,
        body: CustomerChange,
        response: responses({ 200: data(customer.schema) }, 400, 401, 404, "customer_number_taken", "person_erased"),
        detail: { summary: "Change how a person is charged", description: "Null clears a field." },
      },
    );
