/** Clients that are generated from the document compile, and play the main job of an integrator. */
import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterThisTest } from "../support/after-test.ts";
import { newOwnSchool, password } from "../support/school.ts";

const packages = join(import.meta.dir, "../../node_modules");

const generators: Record<string, string[]> = {
  "openapi-typescript": ["openapi-typescript", "openapi.json", "-o", "generated/openapi-typescript.ts"],
  "hey-api": [
    ...["openapi-ts", "-i", "openapi.json", "-o", "generated/hey-api"],
    ...["-p", "@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch", "zod"],
  ],
  orval: ["orval", "--input", "openapi.json", "--output", "generated/orval.ts", "--client", "fetch"],
};

/** Schemas without a client. They are built when the module is loaded. */
const schemas = ["orval", "--input", "openapi.json", "--output", "generated/orval-zod.ts", "--client", "zod"];

const strict = {
  compilerOptions: {
    ...{
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      target: "es2022",
      module: "esnext",
      moduleResolution: "bundler",
    },
    ...{ lib: ["es2023", "dom", "dom.iterable"], types: ["node"], skipLibCheck: true },
  },
};

test("generated clients compile, and sign in, record and approve a flight, and read it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "windsock-clients-"));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  const school = await newOwnSchool();
  const { installation, orgId, owner } = school;
  await cp(join(import.meta.dir, "plays"), folder, { recursive: true });
  await symlink(packages, join(folder, "node_modules"));
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(strict));
  await writeFile(join(folder, "openapi.json"), (await installation.call("GET", "/openapi.json")).text);

  /** Runs a program on this runtime. @returns its output @throws it fails */
  const run = async (args: string[], env: Record<string, string> = {}): Promise<string> => {
    const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, ...env } });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    const [code] = await once(child, "close");
    const output = Buffer.concat(chunks).toString();
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${output}`);
    return output;
  };

  await Promise.all(
    [...Object.values(generators), schemas].map(([name = "", ...args]) =>
      run(["--bun", join(packages, ".bin", name), ...args]),
    ),
  );
  const generated = await readdir(join(folder, "generated"), { recursive: true });
  for (const file of generated.filter((name) => name.endsWith(".ts")))
    expect([file, hasControls(await readFile(join(folder, "generated", file), "utf8"))]).toEqual([file, false]);
  await run([join(packages, "typescript-7/bin/tsc"), "--project", "tsconfig.json"]);
  await run(["generated/orval-zod.ts"]);

  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => installation.app.handle(request) });
  afterThisTest(() => server.stop(true));
  const apiKey = await school.apiKey("public.flights:read");
  const given = { baseUrl: `http://127.0.0.1:${server.port}`, orgId, apiKey, email: owner.email, password };
  for (const [index, name] of Object.keys(generators).entries()) {
    const story = { ...given, registration: `D-EXY${index}` };
    expect(await run([`${name}.ts`], { STORY: JSON.stringify(story) })).toBe("read approved\n");
  }
}, 240_000);

/** Returns whether a text has control characters other than line ends and tabs, or line separators. */
const hasControls = (text: string): boolean => /[^\P{C}\n\r\t]|[\u2028\u2029]/u.test(text);
