/** Runs the code for receivers of docs/integrators.md, in each language whose interpreter is installed. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { shift, toInstant } from "../../src/core/clock.ts";
import { newId } from "../../src/core/ids.ts";
import { deliveryHeaders } from "../../src/events/signing.ts";
import { newSecret } from "../../src/events/signing-secrets.ts";
import { TestClock } from "../support/clock.ts";

const page = await readFile(new URL("../../docs/integrators.md", import.meta.url), "utf8");
const snippet = (language: string): string => {
  const found = new RegExp(`\`\`\`${language} receiver\\n([\\s\\S]*?)\n\`\`\``).exec(page)?.[1];
  if (found === undefined) throw new Error(`docs/integrators.md has no receiver in ${language}.`);
  return found;
};

interface Case {
  secret: string;
  body: string;
  /** Names in lower case. */
  headers: Record<string, string>;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "windsock-receivers-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program in the folder. @returns whether it printed only "yes" */
function printsYes(command: string, args: string[], { secret, body, headers }: Case): boolean {
  const env = { ...process.env, SECRET: secret, BODY: body, HEADERS: JSON.stringify(headers) };
  const { stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: "utf8" });
  if (stderr !== "") throw new Error(stderr);
  return stdout.trim() === "yes";
}

const isPresent = (command: string, flag = "--version") => spawnSync(command, [flag]).status === 0;

interface Receiver {
  isPresent: boolean;
  accepts(given: Case): Promise<boolean>;
}

/** An absent header becomes an unset variable. */
function shellReceiver({
  "x-svc-webhook-signature": primary,
  "x-svc-webhook-signature-secondary": secondary,
}: Case["headers"]): string {
  const given = Object.entries({ SIGNATURE: primary, SECONDARY: secondary });
  const set = given.flatMap(([name, value]) => (value === undefined ? [] : [`${name}='${value}'`]));
  return ["unset SIGNATURE SECONDARY", ...set, snippet("sh").replace("from Windsock", "yes")].join("\n");
}

const receivers: Record<string, Receiver> = {
  ts: {
    isPresent: true,
    async accepts(given) {
      const main = `
        const { SECRET = "", BODY = "", HEADERS = "{}" } = process.env;
        console.log(isFromWindsock(SECRET, Buffer.from(BODY), JSON.parse(HEADERS)) ? "yes" : "no");`;
      await writeFile(join(folder, "receiver.ts"), snippet("ts") + main);
      return printsYes(process.execPath, ["receiver.ts"], given);
    },
  },
  python: {
    isPresent: isPresent("python3"),
    async accepts(given) {
      const main = `
import json, os
env = os.environ
print("yes" if is_from_windsock(env["SECRET"], env["BODY"].encode(), json.loads(env["HEADERS"])) else "no")
`;
      await writeFile(join(folder, "receiver.py"), snippet("python") + main);
      return printsYes("python3", ["receiver.py"], given);
    },
  },
  go: {
    isPresent: isPresent("go", "version"),
    async accepts(given) {
      await writeFile(join(folder, "go.mod"), "module receiver\n");
      await writeFile(join(folder, "receiver.go"), snippet("go").replace("package receiver", "package main"));
      const main = `package main
import ("encoding/json"; "fmt"; "net/http"; "os")
func main() {
	var given map[string]string
	json.Unmarshal([]byte(os.Getenv("HEADERS")), &given)
	header := http.Header{}
	for name, value := range given { header.Set(name, value) }
	if IsFromWindsock(os.Getenv("SECRET"), []byte(os.Getenv("BODY")), header) { fmt.Println("yes") } else { fmt.Println("no") }
}
`;
      await writeFile(join(folder, "main.go"), main);
      return printsYes("go", ["run", "."], given);
    },
  },
  php: {
    isPresent: isPresent("php"),
    async accepts(given) {
      const main = `
echo is_from_windsock(getenv("SECRET"), getenv("BODY"), json_decode(getenv("HEADERS"), true)) ? "yes" : "no";
`;
      await writeFile(join(folder, "receiver.php"), snippet("php") + main);
      return printsYes("php", ["receiver.php"], given);
    },
  },
  sh: {
    isPresent: isPresent("openssl", "version"),
    async accepts(given) {
      await writeFile(join(folder, "body.json"), given.body);
      await writeFile(join(folder, "receiver.sh"), shellReceiver(given.headers));
      return printsYes("sh", ["-eu", "receiver.sh"], given);
    },
  },
};

const body = JSON.stringify({ event: { type: "webhook.test", data: { message: 'Żółć ✓ \\ "quoted"' } } });
const [current, previous] = [newSecret(), newSecret()];

function signed(secrets: Parameters<typeof deliveryHeaders>[1]["secrets"]): Record<string, string> {
  const clock = new TestClock();
  const headers = deliveryHeaders(body, { deliveryId: newId<"delivery">(clock), secrets, now: toInstant(clock.now()) });
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

describe.each(Object.entries(receivers))("the receiver in %s", (_language, { isPresent, accepts }) => {
  test.skipIf(!isPresent)(
    "accepts only bodies signed with its secret",
    async () => {
      const headers = signed({ primary: current });
      expect(await accepts({ secret: current, body, headers })).toBe(true);
      expect(await accepts({ secret: previous, body, headers })).toBe(false);
      expect(await accepts({ secret: current, body: `${body} `, headers })).toBe(false);
      expect(await accepts({ secret: current, body, headers: {} })).toBe(false);
      for (const none of ["", "sha256=", "sha256=é", "*"])
        expect(await accepts({ secret: current, body, headers: { "x-svc-webhook-signature": none } })).toBe(false);
    },
    120_000,
  );

  test.skipIf(!isPresent)(
    "accepts both secrets after a rotation",
    async () => {
      const until = shift(new TestClock().now(), 1000);
      const headers = signed({ primary: current, secondary: { secret: previous, until } });
      expect(await accepts({ secret: current, body, headers })).toBe(true);
      expect(await accepts({ secret: previous, body, headers })).toBe(true);
      expect(await accepts({ secret: newSecret(), body, headers })).toBe(false);
    },
    120_000,
  );
});

test.skipIf(!isPresent("openssl", "version"))("the receiver in sh accepts nothing when openssl fails", async () => {
  const program = shellReceiver({ "x-svc-webhook-signature": "sha256=" });
  await rm(join(folder, "body.json"), { force: true });
  const env = { ...process.env, SECRET: current };
  const { stdout, stderr } = spawnSync("sh", ["-c", program], { cwd: folder, env, encoding: "utf8" });
  expect(stdout).toBe("");
  expect(stderr).toContain("body.json");
});

test("the receiver in ts accepts the headers of node:http and of fetch, in strict TypeScript", async () => {
  const calls = `
    import type { IncomingHttpHeaders } from "node:http";
    const body = Buffer.alloc(0);
    export const ofNode = (headers: IncomingHttpHeaders): boolean => isFromWindsock("", body, headers);
    export const ofFetch = ({ headers }: Request): boolean => isFromWindsock("", body, Object.fromEntries(headers));
    // @ts-expect-error: Headers has its values not as properties
    export const ofHeaders = ({ headers }: Request): boolean => isFromWindsock("", body, headers);`;
  await writeFile(join(folder, "typed.ts"), snippet("ts") + calls);
  const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));
  const options = "--noEmit --strict --skipLibCheck --target es2022 --module nodenext --types node".split(" ");
  const types = ["--typeRoots", join(packages, "@types")];
  const tsc = [join(packages, "typescript-7/bin/tsc"), ...options, ...types, "typed.ts"];
  const { status, stdout } = spawnSync(process.execPath, tsc, { cwd: folder, encoding: "utf8" });
  expect([stdout, status]).toEqual(["", 0]);
}, 300_000);
