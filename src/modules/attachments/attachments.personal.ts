import { eq } from "drizzle-orm";
import { eraseFromLogsAbout } from "../../storage/erase-logs.ts";
import type { PersonalData } from "../../storage/personal-data.ts";
import { eraseFromTexts } from "../../storage/personal-texts.ts";
import { attachmentsOf, contentOf, recordsOf } from "./attachments.queries.ts";
import { attachments as table } from "./attachments.tables.ts";
import { removeContent } from "./upload.ts";

/** The files of a person's records. A file of an aircraft's stays, without the person's name in its own. */
export const attachmentsPersonal: PersonalData = {
  lists: {
    async *attachments(tenant, { personId }) {
      for (const record_id of await tenant.read((reader) => recordsOf(reader, personId)))
        for (const { chunk_digests: _, ...file } of await tenant.read((reader) => attachmentsOf(reader, { record_id })))
          yield file;
    },
  },
  async *files(tenant, { personId }) {
    for (const record_id of await tenant.read((reader) => recordsOf(reader, personId)))
      for (const file of await tenant.read((reader) => attachmentsOf(reader, { record_id })))
        yield { name: `attachments/${file.id}-${file.filename}`, content: contentOf(tenant, file) };
  },
  async erase(tx, subject) {
    const records = await recordsOf(tx, subject.personId);
    for (const record_id of records)
      for (const { id, size_bytes } of await attachmentsOf(tx, { record_id })) {
        await tx.delete(table).where(eq(table.id, id));
        await removeContent(tx, id, size_bytes);
      }
    await eraseFromLogsAbout(tx, "attachment", records);
    await eraseFromTexts(tx, table, ["filename"], subject);
  },
};
