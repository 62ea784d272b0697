import { Elysia } from "elysia";
import { requires } from "../../../http/before-validation.ts";
import { acceptedBelow } from "../../../http/created.ts";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { listPage } from "../../../http/list-page.ts";
import { data, fileResponse, page, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { sendStoredFile } from "../../../http/send-file.ts";
import type { InOrganization } from "../../../storage/context.ts";
import type { PackId } from "../evidence.tables.ts";
import { downloadPack } from "./download-pack.ts";
import { findPack, listPacks } from "./packs.queries.ts";
import { NewEvidencePack, PackListQuery, PackRef } from "./packs.schemas.ts";
import { evidencePack } from "./packs.shapes.ts";
import { removePackContent } from "./remove-content.ts";
import { requestPack, retryPack } from "./request-pack.ts";

const One = data(evidencePack.schema);
const Several = page(evidencePack.schema);
const Zip = fileResponse(["application/zip"]);
const mayUse = requires("evidence:manage", "evidence:own");

interface Options {
  /** Bytes of files for each organization. */
  quota: number;
  /** Builds a pack after the response. */
  build(context: InOrganization, packId: PackId): void;
}

/** `/orgs/{orgId}/evidence-packs` */
export const packRoutes = ({ session }: Http, { build, quota }: Options): RoutePlugin =>
  new Elysia({ name: "evidence-packs", prefix: "/orgs/:orgId/evidence-packs", tags: ["Evidence packs"] })
    .use(session)
    .get(
      "/",
      async ({ context: { tenant, actor }, query }) =>
        listPage(query, (query) => tenant.read((reader) => listPacks(reader, actor, query))),
      {
        transform: mayUse,
        query: PackListQuery,
        response: responses({ 200: Several }, 400, 401, 404),
        detail: {
          summary: "List evidence packs",
          description: "Newest first. Members without `evidence:manage` see packs of themselves.",
        },
      },
    )
    .post(
      "/",
      async ({ context, body, request, set }) => {
        const requested = await requestPack(context, body, quota);
        const { id } = requested.value;
        build(context, id);
        acceptedBelow(request, set, { id });
        return jsonData(requested);
      },
      {
        transform: mayUse,
        body: NewEvidencePack,
        response: responses({ 202: One }, 400, 401, 404, "limit_reached", "person_erased", "quota_exceeded"),
        detail: {
          summary: "Request an evidence pack",
          description:
            "A signed file of approved and signed records, which is built in the background: read the pack until it is `ready` or `failed`, or wait for the event `vtr.issued`. Members without `evidence:manage` request packs of themselves. It supersedes an earlier pack of the same type and subject. 409: the quota is used up, or too many packs wait: 3 of one member, 20 of all.",
        },
      },
    )
    .get(
      "/:packId",
      async ({ context: { tenant, actor }, params: { packId } }) =>
        jsonData(await tenant.read((reader) => findPack(reader, packId, actor))),
      {
        transform: mayUse,
        params: PackRef,
        response: responses({ 200: One }, 401, 404),
        detail: { summary: "Get an evidence pack", description: "Its metadata." },
      },
    )
    .delete("/:packId", async ({ context, params }) => jsonData(await removePackContent(context, params)), {
      transform: requires("evidence:manage"),
      params: PackRef,
      response: responses({ 200: One }, 401, 404, "wrong_status"),
      detail: {
        summary: "Remove the content of an evidence pack",
        description:
          "Frees what it takes of the quota. The pack can't be downloaded any more. Its metadata, manifest and signature stay, so copies of the file can still be verified. 409: it is being built, or its content was removed already.",
      },
    })
    .post(
      "/:packId/retry",
      async ({ context, params }) => {
        const retried = await retryPack(context, params, quota);
        build(context, params.packId);
        return jsonData(retried);
      },
      {
        transform: mayUse,
        params: PackRef,
        response: responses(
          { 200: One },
          400,
          401,
          404,
          "limit_reached",
          "person_erased",
          "quota_exceeded",
          "wrong_status",
        ),
        detail: { summary: "Retry an evidence pack", description: "Builds a pack that has failed again." },
      },
    )
    .get(
      "/:packId/content",
      async ({ context, params, request, set }) => {
        const { pieces, ...file } = await downloadPack(context, params);
        return sendStoredFile({ request, set }, { ...file, mediaType: "application/zip" }, pieces);
      },
      {
        transform: mayUse,
        params: PackRef,
        response: responses({ 200: Zip }, 401, 404, "content_damaged", "content_removed", "step_up_required"),
        detail: {
          summary: "Download an evidence pack",
          description:
            "A ZIP file with the manifest, its signature and the parts. `windsock verify` checks it without a network. The `ETag` is its SHA-256. 404: the pack is not ready. 410: its content was removed.",
        },
      },
    );
