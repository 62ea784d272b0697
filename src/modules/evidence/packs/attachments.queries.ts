/** The digests of files, by which a pack proves them. Its reader does not check an actor. */
import type { SQL } from "drizzle-orm";
import { ascending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { fieldsOf, part } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { attachment } from "../../attachments/attachments.schemas.ts";
import { attachments } from "../../attachments/attachments.tables.ts";

const digest = part({
  ...fieldsOf(attachment, "id", "record_id", "work_order_id", "defect_id"),
  ...fieldsOf(attachment, "filename", "media_type", "size_bytes", "sha256"),
});
const inOrder = ascending(digest, "id");

export const listDigests = (reader: Reader<"tenant">, where: SQL | undefined, page: PageRequest) =>
  pageBody(reader, digest, { ...page, from: attachments, where, orderBy: inOrder });
