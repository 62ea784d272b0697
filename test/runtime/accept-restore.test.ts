/** `windsock audit accept-restore` as an operator uses it. */
import { afterEach, expect, test } from "bun:test";
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { onFile } from "../storage/storages.ts";
import { newInstallation } from "../support/installation.ts";
import { expectStatus, newSchool } from "../support/school.ts";
import { endProcesses, newFolder, run, startServer, urlOf } from "./processes.ts";

afterEach(endProcesses);

const seconds = (n: number) => n * 1000;

test(
  "`windsock audit accept-restore` accepts a restored file, with and without a server",
  async () => {
    const directory = join(await newFolder(), "data");
    const at = await newInstallation({ directory });
    const { orgId, owner, aircraftId } = await newSchool(at);
    await at.close();
    const path = join(directory, `${orgId}.db`);
    await copyFile(path, `${path}.backup`);
    const env = { WINDSOCK_DATA_DIR: directory };
    const verify = async () => (await run(["audit", "verify", "--org", orgId], { env })).code;
    const accept = ["audit", "accept-restore", "--org", orgId, "--reason", "The disk failed."];

    for (const isServing of [false, true]) {
      const later = await newInstallation({ directory });
      const { token } = owner;
      const change = { token, body: { seats: isServing ? 2 : 3 } };
      expectStatus(200, await later.call("PATCH", `/orgs/${orgId}/aircraft/${aircraftId}`, change));
      await later.close();
      for (const suffix of ["-wal", "-shm"]) await rm(`${path}${suffix}`, { force: true });
      await copyFile(`${path}.backup`, path);

      await using server = isServing ? await startServer(env) : undefined;
      if (server) await urlOf(server);
      expect(await verify()).toBe(1);
      const { code, stdout, stderr } = await run(accept, { env: { ...env, USER: "mallory", SUDO_USER: "mallory" } });
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(/^[0-9a-f-]{36}: accepted with \d+ rows; \d+ were sealed before the restore\n$/);
      expect(await verify()).toBe(0);
    }
    const accepted = "select payload ->> '$.after.accepted_by' from audit_log where action like '%restore_accepted'";
    const [by] = await onFile(join(directory, "control.db"), accepted);
    const account = expect.stringContaining(`uid ${process.getuid?.()}`);
    expect(by).toEqual([[account], [account]]);
    expect(JSON.stringify(by)).not.toContain("mallory");
  },
  seconds(60),
);
