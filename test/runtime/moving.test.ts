/** A school that moves as an operator moves it: commands in processes of their own, beside servers. */
import { afterEach, expect, test } from "bun:test";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { signIn, signUp } from "./over-http.ts";
import { endProcesses, newFolder, run, startServer, stop, urlOf } from "./processes.ts";

afterEach(endProcesses);

const longest = 120_000;

async function newServer() {
  const folder = await newFolder();
  const env = { WINDSOCK_DATA_DIR: join(folder, "data") };
  const server = await startServer(env);
  return { env, server, url: await urlOf(server), folder };
}

/** Asks for the health of a server until it is told to stop. @returns the longest wait, in milliseconds */
function watchHealth(url: string) {
  let [isOver, longestWait] = [false, 0];
  const watching = (async () => {
    while (!isOver) {
      const begun = performance.now();
      expect((await fetch(`${url}/health`)).status).toBe(200);
      longestWait = Math.max(longestWait, performance.now() - begun);
      await pause(20); // the processor is for the server
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return longestWait;
  };
}

test(
  "a school is exported beside a server that answers meanwhile, and adopted beside another one",
  async () => {
    const [from, to] = [await newServer(), await newServer()];
    const school = await signUp(from.url, "olga@example.com");
    await school.addPerson("Ines");
    const [file, secret] = [join(from.folder, "school.age"), join(from.folder, "passphrase")];
    await writeFile(secret, "correct horse battery staple\n");
    const health = watchHealth(from.url);
    const exported = await run(["org", "export", school.orgId, file, "--passphrase-file", secret], { env: from.env });
    // Making the key of a passphrase takes a second of a processor, in another process.
    expect(await health()).toBeLessThan(1000);
    expect([exported.code, exported.stdout]).toEqual([0, expect.stringContaining(`${file}: `)]);
    expect((await readdir(from.folder)).sort()).toEqual(["data", "passphrase", "school.age"]);
    expect(await readFile(file, "latin1")).toMatch(/^age-encryption\.org\/v1\n-> scrypt \S+ 17\n/);
    await school.addPerson("Later");

    const adopted = await run(["adopt", file, "--passphrase-file", secret], { env: to.env });
    expect([adopted.code, adopted.stderr, adopted.stdout]).toEqual([
      0,
      "",
      `Windy Hill is adopted: ${school.orgId}, 1 member\n`,
    ]);
    const moved = await signIn(to.url, "olga@example.com", school.orgId);
    expect(await moved.names()).toEqual(["Ines"]);
    const again = await run(["adopt", file, "--passphrase-file", secret], { env: to.env });
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("is in this installation already")]);
    const sound = await run(["audit", "verify"], { env: to.env });
    expect(sound.code).toBe(0);
  },
  longest,
);

test(
  "a lost control database is rebuilt from the files, and the owner gets a link",
  async () => {
    const at = await newServer();
    const school = await signUp(at.url, "olga@example.com");
    await school.addPerson("Ines");
    await stop(at.server);
    for (const suffix of ["", "-wal", "-shm"])
      await rm(join(at.env.WINDSOCK_DATA_DIR, `control.db${suffix}`), { force: true });

    const without = await run(["control", "rebuild"], { env: at.env });
    expect([without.code, without.stdout]).toEqual([1, expect.stringContaining("Name one with --owner EMAIL.")]);
    const rebuilt = await run(["control", "rebuild", "--owner", "olga@example.com"], { env: at.env });
    expect([rebuilt.code, rebuilt.stdout]).toEqual([
      0,
      expect.stringContaining(`Windy Hill is adopted: ${school.orgId}`),
    ]);
    expect(rebuilt.stderr).toContain("were in the other control database");
    const token = /#reset=([\w-]+)/.exec(rebuilt.stdout)?.[1];

    const url = await urlOf(await startServer(at.env));
    const body = JSON.stringify({ token, password: "correct horse battery" });
    const reset = await fetch(`${url}/auth/password/reset`, {
      ...{ method: "POST", headers: { "content-type": "application/json" }, body },
    });
    expect(reset.status).toBe(200);
    expect(await (await signIn(url, "olga@example.com", school.orgId)).names()).toEqual(["Ines"]);
  },
  longest,
);
