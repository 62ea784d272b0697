import { z } from "zod";
import { formats } from "../../core/formats.ts";
import { idOf, instantOut, text } from "../../http/fields.ts";
import { paging } from "../../http/query.ts";
import { columns } from "../../storage/columns.ts";
import { accountName, names } from "../../storage/names.ts";
import { type Resource, shape } from "../../storage/shape.ts";
import { mediaTypes, attachments as table } from "./attachments.tables.ts";

/** The length of a name as it is given. The stored one may have an extension more. */
const longestName = 200;

const filename = text(longestName)
  .refine((name) => !/[/\\]/.test(name) && !/^\.+$/.test(name), formats.file_name)
  .meta({
    description:
      "The name for downloads. It gets the extension of its content if it has another: `scan.txt` becomes `scan.txt.pdf`.",
    examples: ["release.pdf"],
  });

export const UploadQuery = z.strictObject({ filename });

export const AttachmentListQuery = z.strictObject(paging);

export const attachment = shape("Attachment", {
  ...columns(table, {
    id: idOf<"attachment">(),
    record_id: idOf<"record">().nullable(),
    work_order_id: idOf<"workOrder">().nullable(),
    defect_id: idOf<"defect">().nullable(),
    filename,
    media_type: z.enum(mediaTypes).meta({ description: "By its content.", examples: ["application/pdf"] }),
    size_bytes: z.int().meta({ examples: [48213] }),
    sha256: z.string().meta({
      description: "Of the content, in hexadecimal.",
      examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    }),
    uploaded_by: idOf<"user">(),
    created_at: instantOut,
  }),
  ...names(table, { uploaded_by: accountName }),
});
export type Attachment = Resource<typeof attachment>;
