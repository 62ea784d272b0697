/** `windsock org …` */
import { resolve } from "node:path";
import process from "node:process";
import { loadConfig } from "../config.ts";
import { organizationKinds } from "../identity/identity.tables.ts";
import {
  type Listed,
  orgCreate,
  orgDelete,
  orgList,
  orgRename,
  orgResume,
  orgSuspend,
} from "../modules/operations/org-commands.ts";
import { orgExport, orgMove } from "./move-commands.ts";
import { runInServerOrHere } from "./run-in-server-or-here.ts";
import { schoolTable } from "./school-table.ts";
import { command, group } from "./strict-command.ts";

const id = {
  id: { type: "positional", description: "The organization's id, see `windsock org list`", required: true },
} as const;

const print = (line: string) => void process.stdout.write(`${line}\n`);
/** Prints to standard error: standard output has only the result, for a file or another program. */
const remark = (line: string) => void process.stderr.write(`${line}\n`);

const list = command(
  { name: "list", description: "List the schools: state, owners, members, file and backup" },
  {
    args: { json: { type: "boolean", description: "Print them as JSON" } },
    async run({ json = false }) {
      const { organizations } = await runInServerOrHere(orgList, {});
      const listed: readonly Listed[] = organizations;
      if (json) print(JSON.stringify({ organizations: listed }, null, 2));
      else if (listed.length === 0) remark(`No school has signed up in ${resolve(loadConfig(process.env).dataDir)}.`);
      else print(schoolTable(listed));
    },
  },
);

const create = command(
  { name: "create", description: "Make a new school, where nobody may sign one up: see WINDSOCK_SIGN_UP" },
  {
    args: {
      name: { type: "positional", description: "Its name", required: true },
      owner: {
        type: "string",
        description: "The e-mail address of its owner, whose account is made if need be",
        valueHint: "email",
        required: true,
      },
      kind: { type: "string", description: `One of ${organizationKinds.join(", ")}`, default: "ato" },
      "time-zone": { type: "string", description: "Such as Europe/Berlin", default: "UTC" },
    },
    async run({ name, owner, kind, "time-zone": time_zone }) {
      const made = await runInServerOrHere(orgCreate, { name, owner, kind: kindOf(kind), time_zone });
      print(`${made.name} is made: ${made.organization_id}`);
      if (made.link !== null) print(`${owner}\tchooses a password, within 30 minutes\t${made.link}`);
    },
  },
);

function kindOf(text: string): (typeof organizationKinds)[number] {
  const kind = organizationKinds.find((one) => one === text);
  if (kind === undefined) throw new Error(`--kind: Must be one of ${organizationKinds.join(", ")}.`);
  return kind;
}

const rename = command(
  { name: "rename", description: "Rename a school" },
  {
    args: { ...id, name: { type: "positional", description: "Its new name", required: true } },
    async run({ id, name }) {
      const done = await runInServerOrHere(orgRename, { id, name });
      print(`${id} is called ${done.name}.`);
      if (!done.applied) remark(notApplied);
    },
  },
);

const notApplied =
  "Its file can't be written to now. The job intents carries the change there: `windsock doctor` may know why it can't.";

interface Suspended {
  owners: readonly string[];
  mailed: number;
  changed: boolean;
  applied: boolean;
}

function tellAbout({ owners, mailed, changed, applied }: Suspended): void {
  if (changed) remark(`Owners: ${owners.join(", ") || "none"}. Mailed: ${mailed} of ${owners.length}.`);
  if (!applied) remark(notApplied);
}

const suspend = command(
  { name: "suspend", description: "Suspend a school: nobody is served, and its jobs and webhooks rest" },
  {
    args: {
      ...id,
      reason: { type: "string", description: "Why, for its owners and the audit log", required: true },
    },
    async run({ id, reason }) {
      const done = await runInServerOrHere(orgSuspend, { id, reason });
      print(`${done.name} ${done.changed ? "is suspended" : "was suspended already"}.`);
      tellAbout(done);
    },
  },
);

const resume = command(
  { name: "resume", description: "Resume a suspended school, also one that is to be deleted" },
  {
    args: id,
    async run({ id }) {
      const done = await runInServerOrHere(orgResume, { id });
      print(`${done.name} ${done.changed ? "is resumed" : "was not suspended"}.`);
      tellAbout(done);
    },
  },
);

const remove = command(
  { name: "delete", description: "Suspend a school now, and delete it with all its records later" },
  {
    args: {
      ...id,
      confirm: { type: "string", description: "The school's name, as `org list` shows it", required: true },
      grace: {
        type: "string",
        description: "The days until then, in which `org resume` takes it back",
        default: "30d",
      },
      reason: { type: "string", description: "Why, for its owners and the audit log" },
      "without-backup": { type: "boolean", description: "Also if no last backup of it can be made" },
    },
    async run({ id, confirm, grace, reason, "without-backup": isWithout = false }) {
      const stated = reason === undefined ? {} : { reason };
      const done = await runInServerOrHere(orgDelete, { id, confirm, grace, ...stated, "without-backup": isWithout });
      const { name, removal_at } = done;
      print(`${name} is suspended, and is deleted with the first nightly run after ${removal_at}.`);
      tellAbout(done);
      remark(`Until then, \`windsock org resume ${id}\` takes it back.`);
    },
  },
);

export const org = group(
  { name: "org", description: "Schools" },
  { list, create, rename, suspend, resume, delete: remove, export: orgExport, move: orgMove },
);
