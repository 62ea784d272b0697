/** `windsock org export`, `windsock org move`, `windsock adopt` and `windsock control rebuild`. */
import { open, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseEnv } from "node:util";
import { type Config, loadConfig } from "../config.ts";
import { readGiven, withGiven } from "../core/system-error.ts";
import type { AdoptInput } from "../modules/moving/adopt-school.ts";
import {
  adopt as adoptCommand,
  controlRebuild,
  orgExport as orgExportCommand,
} from "../modules/operations/move-commands.ts";
import { moveSchool, type Place } from "../modules/operations/move-school.ts";
import { counted } from "../scheduler/job.ts";
import { findSecret } from "../storage/secret-key.ts";
import { openHere } from "./open-here.ts";
import { operator } from "./operator.ts";
import { runInServerOrHere } from "./run-in-server-or-here.ts";
import { command, group } from "./strict-command.ts";

const print = (line: string) => void process.stdout.write(`${line}\n`);
const remark = (line: string) => void process.stderr.write(`${line}\n`);

const passphraseFile = {
  type: "string",
  description: "The file whose first line is the passphrase. Without it, standard input",
  valueHint: "file",
} as const;

type Rebuild = Pick<AdoptInput, "owner" | "members" | "by">;
type Rebuilt = Awaited<ReturnType<typeof controlRebuild.handle>>;

/** The first line: an editor ends the file with one more. */
async function readPassphrase(file: string | undefined): Promise<string> {
  if (file !== undefined) return firstLine(await readGiven(file));
  if (process.stdin.isTTY) remark("Type the passphrase, and Enter. It is shown.");
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    text += chunk;
    if (text.includes("\n")) break;
  }
  return firstLine(text);
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1).join("");

export const orgExport = command(
  { name: "export", description: "Write a school into one encrypted file, for another installation" },
  {
    args: {
      id: { type: "positional", description: "The organization's id", required: true },
      file: { type: "positional", description: "The file to write", required: true },
      "passphrase-file": passphraseFile,
    },
    async run({ id, file, "passphrase-file": from }) {
      const to = resolve(file);
      const passphrase = await readPassphrase(from);
      const made = await runInServerOrHere(orgExportCommand, { org: id, to, passphrase }, { files: [to] });
      print(`${made.path}: ${made.bytes} bytes, ${made.audit_rows} rows in its audit log`);
      print(`SHA-256 ${made.sha256}`);
      remark("The school stays here. What happens to it from now on is not in the file.");
    },
  },
);

const owning = {
  owner: {
    type: "string",
    description: "The e-mail address of an owner, whose account is made if need be",
    valueHint: "email",
  },
  members: {
    type: "boolean",
    description: "Of a bare database: make members of all who are linked to an account, with the roles of their types",
  },
} as const;

export const adopt = command(
  { name: "adopt", description: "Take in a school of another installation: an export, or its bare database" },
  {
    args: {
      file: { type: "positional", description: "The export, or the .db file", required: true },
      ...owning,
      key: {
        type: "string",
        description: "The secret.key of the installation that a .db file comes from",
        valueHint: "file",
      },
      "passphrase-file": passphraseFile,
      identity: {
        type: "string",
        description: "The identity that opens a .db.age file of an encrypted backup",
        valueHint: "file",
      },
    },
    async run({ file, owner, key, members = false, identity, "passphrase-file": from }) {
      const path = resolve(file);
      const files = { key: key && resolve(key), identity: identity && resolve(identity) };
      const needsPassphrase = files.identity === undefined && (await isEncrypted(path));
      const passphrase = needsPassphrase ? await readPassphrase(from) : undefined;
      const given = { owner, ...files, passphrase, from: path, members, by: operator() };
      show(await runInServerOrHere(adoptCommand, given, { files: [path, files.key, files.identity] }));
    },
  },
);

/** A bare database needs no passphrase, and standard input may never end. */
const isEncrypted = (path: string): Promise<boolean> =>
  withGiven(path, async (named) => {
    const file = await open(named);
    try {
      const { buffer } = await file.read(Buffer.alloc(3), 0, 3, 0);
      return buffer.toString("latin1") === "age";
    } finally {
      await file.close();
    }
  });

export const orgMove = command(
  { name: "move", description: "Move a school from another installation to this one: files, or a libSQL server" },
  {
    args: {
      id: { type: "positional", description: "The organization's id", required: true },
      from: {
        type: "string",
        description: "The file with the variables of the other installation",
        valueHint: "file",
        required: true,
      },
      owner: owning.owner,
    },
    async run({ id, from, owner }) {
      const variables = parseEnv(await readGiven(from));
      if (!variables.WINDSOCK_DATA_DIR)
        throw new Error(`${from} has no WINDSOCK_DATA_DIR. It needs the variables of the other installation.`);
      const [first, second] = [placeOf(loadConfig(variables)), placeOf(loadConfig(process.env))];
      const { name, adopted } = await moveSchool({ from: first, to: second, id, owner, by: operator() });
      if (adopted === null) print(`${name} is here already: an earlier run has moved it.`);
      else show(adopted);
      remark(
        `At the other installation it stays suspended, and is not served. Delete it there when you no longer need it: windsock org delete ${id}`,
      );
    },
  },
);

function placeOf(config: Config): Place {
  const { dataDir, publicUrl } = config;
  return {
    directory: resolve(dataDir),
    publicUrl,
    run: (command, args, files = []) => runInServerOrHere(command, args, { config, files }),
  };
}

function show({ organization_id, name, members, links, remarks }: Rebuilt["adopted"][number]): void {
  print(`${name} is adopted: ${organization_id}, ${members} ${members === 1 ? "member" : "members"}`);
  for (const { email, purpose, link } of links)
    print(
      `${email}\t${purpose === "password" ? "chooses a password, within 30 minutes" : "joins, within 7 days"}\t${link}`,
    );
  for (const line of remarks) remark(line);
}

const rebuild = command(
  { name: "rebuild", description: "Adopt all schools whose files no organization owns: control.db was lost" },
  {
    args: owning,
    async run({ owner, members = false }) {
      const args = { ...(owner !== undefined && { owner }), members, by: operator() };
      const { adopted, left, lost, unread } = await rebuildHere(args);
      for (const school of adopted) show(school);
      for (const { organization_id, fault } of left) print(`${organization_id} is not adopted: ${fault}`);
      if (adopted.length + left.length === 0) print("Each school's file has its organization. Nothing was changed.");
      for (const school of lost) showLost(school);
      for (const { organization_id, fault } of unread)
        print(`${organization_id} was not searched for members who are missing: ${fault}`);
      if (left.length + unread.length > 0) process.exitCode = 1;
    },
  },
);

/** What control.db had of them can't be recovered. */
function showLost({ organization_id, name, members }: Rebuilt["lost"][number]): void {
  print(
    `${name}, ${organization_id}: its records name ${counted(members.length, "account")} without a membership here:`,
  );
  for (const { name, email } of members) print(`  ${name}\t${email ?? "no address in the records"}`);
  remark(
    "Passwords and roles of these members can't be recovered. An owner invites those who are still at the school again, and links each to their person when they have joined.",
  );
}

/** Begins a new control database, if there is none. */
async function rebuildHere(args: Rebuild): Promise<Rebuilt> {
  const config = loadConfig(process.env);
  const { dataDir: directory, secretKey } = config;
  const size = await stat(join(directory, "control.db")).then(
    ({ size }) => size,
    () => 0,
  );
  if (size > 0) return runInServerOrHere(controlRebuild, args);
  // A new secret would open nothing: neither the schools' secrets nor the backups.
  if ((await findSecret(directory, secretKey)) === undefined)
    throw new Error(
      `${join(directory, "secret.key")} is missing: put it back, or set WINDSOCK_SECRET_KEY. With a new value there, webhooks and evidence packs need new secrets.`,
    );
  const engine = await openHere(config, { rebuildsControl: true });
  try {
    return await controlRebuild.handle(engine, args);
  } finally {
    await engine.close();
  }
}

export const control = group({ name: "control", description: "The control database" }, { rebuild });
