/** A control database that is damaged: requests that read it or write to it get 503. */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { onFile } from "./storages.ts";

/** The start reads these tables: if one of them is damaged, the server does not start. */
const ofTheStart = ["audit_log", "installation", "intents", "tenant_marks"];

/** Overwrites the first page of all other tables and of their indexes. Only a closed file may be changed. */
export async function damageControl(directory: string): Promise<void> {
  const path = join(directory, "control.db");
  const [roots, [[size]]] = (await onFile(
    path,
    "select tbl_name, rootpage from sqlite_master where rootpage > 0",
    "PRAGMA page_size",
  )) as [[string, number][], [[number]]];
  const file = await open(path, "r+");
  for (const [table, page] of roots)
    if (!ofTheStart.includes(table)) await file.write(Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
  await file.close();
}
