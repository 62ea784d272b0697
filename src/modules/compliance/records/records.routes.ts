import { Elysia } from "elysia";
import { z } from "zod";
import { requires } from "../../../http/before-validation.ts";
import { createdBelow } from "../../../http/created.ts";
import { dateField } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { listPage } from "../../../http/list-page.ts";
import { data, page, responses } from "../../../http/responses.ts";
import { addRecord } from "./add-record.ts";
import { findRecord, listRecords } from "./records.queries.ts";
import { NewRecord, RecordListQuery, RecordRef, SuggestionQuery, Withdrawal } from "./records.schemas.ts";
import { record } from "./records.shapes.ts";
import { suggestValidity } from "./suggest-validity.ts";
import { withdrawRecord } from "./withdraw-record.ts";

const One = data(record.schema);
const mayRead = requires("compliance:read", "compliance:read_aircraft", "compliance:read_own");
const mayManage = requires("compliance:manage", "compliance:manage_aircraft");

const Suggestion = data(
  z
    .strictObject({
      valid_until: dateField.nullable().meta({ description: "Valid through this day. Null: unlimited." }),
      source: z
        .strictObject({
          article: z.string().meta({ examples: ["FCL.740.A"] }),
          regulation: z.string().meta({ examples: ["(EU) 2020/359"] }),
          effective_from: dateField,
        })
        .nullable()
        .meta({ description: "The rule. Null: the type's own `validity_months`." }),
    })
    .meta({ id: "ValiditySuggestion" }),
);

/** `/orgs/{orgId}/compliance/records` and `/orgs/{orgId}/compliance/suggested-validity` */
export const recordRoutes = ({ session }: Http) =>
  new Elysia({ name: "compliance-records", prefix: "/orgs/:orgId/compliance", tags: ["Compliance"] })
    .use(session)
    .get(
      "/records",
      async ({ context, query }) =>
        listPage(query, (query) => context.tenant.read((reader) => listRecords(reader, context.actor, query))),
      {
        transform: mayRead,
        query: RecordListQuery,
        response: responses({ 200: page(record.schema) }, 400, 401, 404),
        detail: {
          summary: "List compliance records",
          description: "The newest entry first. Callers see the records that their permissions allow.",
        },
      },
    )
    .post(
      "/records",
      async ({ context, body, request, set }) => {
        const added = await addRecord(context, body);
        createdBelow(request, set, added.value);
        return jsonData(added);
      },
      {
        transform: mayManage,
        body: NewRecord,
        response: responses({ 201: One }, 400, 401, 404, "wrong_status", "other_subject"),
        detail: {
          summary: "Add a compliance record",
          description:
            "Supersedes the current record of the same type and level. One that was issued before that is superseded at once. Emits `compliance.updated`.",
        },
      },
    )
    .get(
      "/records/:recordId",
      async ({ context, params }) =>
        jsonData(await context.tenant.read((reader) => findRecord(reader, params.recordId, context.actor))),
      {
        transform: mayRead,
        params: RecordRef,
        response: responses({ 200: One }, 401, 404),
        detail: {
          summary: "Get a compliance record",
          description: "Returns 404 also for a record that the caller may not see.",
        },
      },
    )
    .post(
      "/records/:recordId/withdraw",
      async ({ context, params, body }) => jsonData(await withdrawRecord(context, { ...params, ...body })),
      {
        transform: mayManage,
        params: RecordRef,
        body: Withdrawal,
        response: responses({ 200: One }, 400, 401, 404, "wrong_status"),
        detail: {
          summary: "Withdraw a compliance record",
          description: "For a document that was suspended, revoked or entered by mistake. Requires a reason.",
        },
      },
    )
    .get(
      "/suggested-validity",
      async ({ context, query }) => ({
        data: await context.tenant.read((reader) => suggestValidity(reader, context.actor, query)),
      }),
      {
        transform: mayManage,
        query: SuggestionQuery,
        response: responses({ 200: Suggestion }, 400, 401, 404),
        detail: {
          summary: "Suggest the expiry of a document",
          description: "By Part-MED or Part-FCL. A suggestion: the date printed on the document is what counts.",
        },
      },
    );
