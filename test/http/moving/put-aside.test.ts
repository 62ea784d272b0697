/** A school without records that an older `control.db` does not know looks as an interrupted sign-up does. Neither is lost. */
import { afterAll, expect, test } from "bun:test";
import { copyFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { newInstallation } from "../../support/installation.ts";
import { signUp } from "../accounts/newcomers.ts";
import { newFolder, rebuilt, removeFolders } from "./moves.ts";

afterAll(removeFolders);

const filesIn = (directory: string) => readdir(directory).catch(() => []);

test("a school that an older control.db lacks is put aside at the start, and `control rebuild` adopts it, once", async () => {
  const directory = await newFolder();
  const first = await newInstallation({ directory });
  const { clock } = first;
  await signUp(first);
  await first.close();
  const older = join(await newFolder(), "control.db");
  await copyFile(join(directory, "control.db"), older);

  clock.advance(1000);
  const second = await newInstallation({ directory, clock });
  const { orgId } = await signUp(second, "otto@example.com");
  await second.close();
  await copyFile(older, join(directory, "control.db"));

  const third = await newInstallation({ directory, clock });
  const aside = join(directory, "unowned");
  expect(await filesIn(aside)).toEqual([`${orgId}.db`]);
  expect(await filesIn(directory)).not.toContain(`${orgId}.db`);
  expect(third.logged.join()).toContain("windsock control rebuild");
  await third.close();

  const fourth = await newInstallation({ directory, clock });
  expect(await filesIn(aside)).toEqual([`${orgId}.db`]);
  const { adopted, left } = await rebuilt(fourth, { owner: "otto@example.com" });
  expect([adopted.map(({ organization_id }) => organization_id), left]).toEqual([[orgId], []]);
  expect(await filesIn(aside)).toEqual([]);
  const { name } = adopted[0] ?? { name: "" };
  expect(name).toBe("Flugschule Egelsbach");
  expect((await rebuilt(fourth, { owner: "otto@example.com" })).adopted).toEqual([]);
});
