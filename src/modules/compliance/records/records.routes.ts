import { Elysia } from "elysia";
import { z } from "zod";
import { requires } from "../../../http/before-validation.ts";
import { dateField } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import { data, responses } from "../../../http/responses.ts";
import { obstacles } from "../rules/validity.ts";
import { addRecord } from "./add-record.ts";
import { findRecord, listRecords, recordEntity } from "./records.queries.ts";
import { NewRecord, other_levels, RecordListQuery, SuggestionQuery, Withdrawal } from "./records.schemas.ts";
import { remindHolder } from "./remind-holder.ts";
import { suggestValidity } from "./suggest-validity.ts";
import { withdrawRecord } from "./withdraw-record.ts";

const manages = ["compliance:manage", "compliance:manage_aircraft"] as const;

/** `/orgs/{orgId}/compliance/records` */
export const recordRoutes = (http: Http) =>
  resourceRoutes(http, {
    tag: "Compliance",
    names: ["a compliance record", "compliance records"],
    path: "compliance/records",
    item: "/:recordId",
    entity: recordEntity,
    reads: ["compliance:read", "compliance:read_aircraft", "compliance:read_own"],
    writes: manages,
    list: {
      description: "The newest entry first. Callers see the records that their permissions allow.",
      query: RecordListQuery,
      read: (reader, query, { actor }) => listRecords(reader, actor, query),
    },
    add: {
      description:
        "Supersedes the current record of the same type and level. One that was issued before that is superseded at once. Emits `compliance.updated`.",
      body: NewRecord,
      verb: addRecord,
      refuses: ["wrong_status", "other_subject"],
    },
    get: {
      description: "Returns 404 also for a record that the caller may not see.",
      read: (reader, { recordId, actor }) => findRecord(reader, recordId, actor),
    },
    actions: {
      withdraw: {
        summary: "Withdraw a compliance record",
        description: "For a document that was suspended, revoked or entered by mistake. Requires a reason.",
        body: Withdrawal,
        verb: withdrawRecord,
        refuses: ["wrong_status"],
      },
      remind: {
        summary: "Remind a person of a compliance record",
        description:
          "By a mail to the person whose record expires or has expired, in their language, at most once in 24 hours. Who switched such mails off gets none.",
        permission: "compliance:manage",
        verb: remindHolder,
        refuses: ["wrong_status", "no_reminder", "reminded_already", "mail_not_configured"],
      },
    },
  });

const Suggestion = data(
  z
    .strictObject({
      valid_until: dateField
        .nullable()
        .meta({ description: "Valid through this day. Null: unlimited, or there is no suggestion: see `reason`." }),
      reason: z
        .enum(obstacles)
        .nullable()
        .meta({
          description:
            "Why there is no suggestion; null: there is one. `not_by_this_method`: a document of this type is not made valid by this method. `not_held`, `lapsed`: the method needs a valid one. `too_early`: before the time in which the method counts. `too_many_in_a_row`: an ARC is extended twice at most. `date_of_birth_unknown`: the validity depends on the holder's age.",
          examples: [null],
        }),
      other_levels: other_levels.meta({
        description:
          "For a record: the last days for the other levels that the document covers, counted from `done_on`.",
      }),
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

/** `/orgs/{orgId}/compliance/suggested-validity` */
export const suggestionRoute = ({ session }: Http) =>
  new Elysia({ name: "suggested-validity", prefix: "/orgs/:orgId/compliance", tags: ["Compliance"] }).use(session).get(
    "/suggested-validity",
    async ({ context, query }) => ({
      data: await context.tenant.read((reader) => suggestValidity(reader, context.actor, query)),
    }),
    {
      transform: requires(...manages),
      query: SuggestionQuery,
      response: responses({ 200: Suggestion }, 400, 401, 404),
      detail: {
        summary: "Suggest the expiry of a document",
        description:
          "By Part-MED, Part-FCL or Part-ML. A suggestion: the date printed on the document is what counts. `experience` is for SEP and TMG, in the last 12 months of a valid rating; without `previous_until`, that of the person's record counts.",
      },
    },
  );
