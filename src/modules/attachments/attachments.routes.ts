/** `/orgs/{orgId}/{…}/attachments`, below each resource that has them. */
import { Elysia } from "elysia";
import { requires } from "../../http/before-validation.ts";
import { MEBIBYTE } from "../../http/body-limits.ts";
import { createdBelow } from "../../http/created.ts";
import { fileBody } from "../../http/file-body.ts";
import type { Http } from "../../http/http.ts";
import { jsonData } from "../../http/json-text.ts";
import { listPage } from "../../http/list-page.ts";
import { type IdsIn, idsIn } from "../../http/resource-routes.ts";
import { data, fileResponse, page, responses } from "../../http/responses.ts";
import type { RoutePlugin } from "../../http/route.ts";
import { sendStoredFile } from "../../http/send-file.ts";
import { addAttachment } from "./add-attachment.ts";
import { attachmentEntity, contentOf, listAttachments, requireAttachment } from "./attachments.queries.ts";
import { AttachmentListQuery, attachment, UploadQuery } from "./attachments.schemas.ts";
import { mediaTypes } from "./attachments.tables.ts";
import { removeAttachment } from "./remove-attachment.ts";
import type { Subject } from "./subjects.ts";
import type { UploadSlots } from "./upload-slots.ts";

const MAX_BYTES = 10 * MEBIBYTE;

const One = data(attachment.schema);
const Several = page(attachment.schema);
const Content = fileResponse(mediaTypes);
/** The content decides about the type, so a client need not know it. */
const Upload = fileBody(MAX_BYTES, [...mediaTypes, "application/octet-stream"]);

interface Options {
  /** Bytes of attachments for each organization. */
  quota: number;
  slots: UploadSlots;
}

export function attachmentRoutes<Path extends string>(
  { session }: Http,
  { quota, slots }: Options,
  { name, path, reads, adds, removes, refuses, toSee, toAdd, toRemove }: Subject<Path>,
): RoutePlugin {
  type Parent = IdsIn<Path>;
  type Ref = Parent & IdsIn<"/:attachmentId">;
  const parent = idsIn(path);
  const ref = idsIn(`${path}/:attachmentId`);
  // The casts: see `resourceRoutes`.
  return new Elysia({ name: path, prefix: `/orgs/:orgId/${path}`, tags: ["Attachments"] })
    .use(session)
    .get(
      "/",
      async ({ context, params, query }) =>
        listPage(query, (query) =>
          context.tenant.read(async (reader) => {
            const owner = await toSee(reader, params as Parent, context.actor);
            return listAttachments(reader, { ...query, ...owner });
          }),
        ),
      {
        transform: requires(...reads),
        params: parent,
        query: AttachmentListQuery,
        response: responses({ 200: Several }, 400, 401, 404),
        detail: { summary: `List the attachments of ${name}`, description: "Newest first." },
      },
    )
    .post(
      "/",
      async ({ context, params, query, body, request, set }) => {
        body.checkHeaders();
        using _ = slots.take(context.actor);
        const added = await addAttachment(context, {
          filename: query.filename,
          file: body,
          ownerFor: (reader, actor) => toAdd(reader, params as Parent, actor),
          quota,
        });
        if (added instanceof Response) return added;
        createdBelow(request, set, added.value);
        return jsonData(added);
      },
      {
        transform: requires(...adds),
        params: parent,
        query: UploadQuery,
        body: Upload,
        response: responses({ 201: One }, 400, 401, 404, 429, ...refuses, "quota_exceeded"),
        detail: {
          summary: `Attach a file to ${name}`,
          description:
            "A PDF, a JPEG or a PNG, by its content and not by its name or `Content-Type`. A repeat with the same `Idempotency-Key` sends the file again: its hash is compared.",
        },
      },
    )
    .get(
      "/:attachmentId",
      async ({ context, params }) => {
        const { attachmentId, ...at } = params as Ref;
        return jsonData(
          await context.tenant.read(async (reader) => {
            const owner = await toSee(reader, at as Parent, context.actor);
            const { id } = await requireAttachment(reader, owner, attachmentId);
            return attachmentEntity.read(reader, id);
          }),
        );
      },
      {
        transform: requires(...reads),
        params: ref,
        response: responses({ 200: One }, 401, 404),
        detail: { summary: `Get an attachment of ${name}`, description: "Its name, type, size and hash." },
      },
    )
    .get(
      "/:attachmentId/content",
      async ({ context: { tenant, actor }, params, request, set }) => {
        const { attachmentId, ...at } = params as Ref;
        const row = await tenant.read(async (reader) =>
          requireAttachment(reader, await toSee(reader, at as Parent, actor), attachmentId),
        );
        const { filename, media_type: mediaType, size_bytes: bytes, sha256: hash } = row;
        return sendStoredFile({ request, set }, { filename, mediaType, bytes, hash }, () => contentOf(tenant, row));
      },
      {
        transform: requires(...reads),
        params: ref,
        response: responses({ 200: Content }, 401, 404, "content_damaged"),
        detail: {
          summary: `Download an attachment of ${name}`,
          description: "Always a download: browsers do not show it. The `ETag` is its SHA-256.",
        },
      },
    )
    .delete(
      "/:attachmentId",
      async ({ context, params }) => {
        const { attachmentId, ...at } = params as Ref;
        return jsonData(
          await removeAttachment(context, (tx) => toRemove(tx, at as Parent, context.actor), attachmentId),
        );
      },
      {
        transform: requires(...removes),
        params: ref,
        response: responses({ 200: One }, 401, 404),
        detail: {
          summary: `Delete an attachment of ${name}`,
          description: "Returns it as it was. The audit log keeps its name and its hash.",
        },
      },
    );
}
