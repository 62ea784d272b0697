/** Backups of a storage without the application, and restores of them. */
import type { OrgId } from "../../src/core/ids.ts";
import { restoreInstallation } from "../../src/storage/backup/restore.ts";
import { type Checker, checkerInThisProcess } from "../../src/storage/check/checker.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import type { TestStorage } from "./storages.ts";

export const keepNone = async () => async () => undefined;
export const never = () => new AbortController().signal;

/** Calls functions before and after each copy, by the name of the file. */
export function watched({ before = async (_: string) => {}, after = async (_: string) => {} }) {
  return {
    ...checkerInThisProcess,
    async copy(...[path, task]: Parameters<typeof checkerInThisProcess.copy>) {
      const name = path.split("/").at(-1) ?? "";
      await before(name);
      const copied = await checkerInThisProcess.copy(path, task);
      await after(name);
      return copied;
    },
  };
}

export const take = (
  { backups, clock }: TestStorage,
  place: string,
  request: { organization?: OrgId; recipient?: string } = {},
) => {
  clock.advance(1000);
  return backups.take({ place, keepIntents: keepNone, stopping: never(), ...request });
};

export const rename = ({ tenants }: Pick<TestStorage, "tenants">, id: OrgId, name: string) =>
  tenants.tenant(id).write((tx) => tx.update(meta).set({ name }));

export async function nameOf({ tenants }: Pick<TestStorage, "tenants">, id: OrgId): Promise<string | undefined> {
  const [row] = await tenants.tenant(id).read((reader) => reader.select({ name: meta.name }).from(meta));
  return row?.name;
}

/** Restores into a directory with the secret of another. */
export async function restoreTo(
  directory: string,
  from: string,
  options: { force?: boolean; identity?: string | undefined; step?: (name: string) => void; checker?: Checker } = {},
) {
  const { force = false, identity, step, checker = checkerInThisProcess } = options;
  const request = { from, force, reason: "A test.", by: "olga", identity };
  const now = new Date("2026-06-15T09:00:00.000Z");
  return restoreInstallation(request, { directory, checker, now, secret: undefined, ...(step && { step }) });
}
