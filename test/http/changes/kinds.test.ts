/** Each kind of the audit log is told to those who may read it, or to nobody, for a reason. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { pathsOf } from "../../../src/console/app/shown-by.ts";
import type { Role } from "../../../src/identity/roles.ts";
import { changeKinds } from "../../../src/modules.ts";
import { headset, newInvoice, sendInvoice } from "../../support/money.ts";
import { expectStatus, type Member } from "../../support/school.ts";
import { changeEach, newStage, type Stage } from "../../support/stage.ts";
import { ask, EventReader, mark } from "./follow.ts";

/** Kinds that are told to nobody, and why. A new kind belongs here, or into `changes` of its module. */
const untold: Record<string, string> = {
  audit_log: "what an erasure replaced in the log itself",
  events: "a job removed old ones",
  replays: "a job removed old ones",
  webhook_endpoints: "a job removed old ones",
  invites: "a job removed old ones",
  sessions: "a job removed old ones",
  session: "of the account, and of no school",
  user: "of the account, and of no school",
  directory_entry: "of the installation, which its moderators read",
};

const root = join(import.meta.dirname, "../../../src");

/** The kinds that the code names where it writes to the log. */
async function writtenKinds(): Promise<string[]> {
  const found = new Set<string>();
  for (const file of await readdir(root, { recursive: true })) {
    if (!file.endsWith(".ts") || file.startsWith("console/")) continue;
    const text = await readFile(join(root, file), "utf8");
    const patterns = [
      /entityOf\(\s*"(\w+)"/g,
      /\bsubject\b[^;{}]*\{\s*kind: "(\w+)",? id/g,
      /\bkind: "(\w+)",\s*(?:\w+,\s*)*table\b/g,
      /user_id === null \? \{ kind: "(\w+)"/g,
    ];
    for (const pattern of patterns) for (const [, kind = ""] of text.matchAll(pattern)) found.add(kind);
  }
  return [...found].sort();
}

let stage: Stage;
const told = new Map<Role, Set<string>>();

/** Follows the changes, and goes on where a stream ends, until the records are complete. */
async function collect(role: Role, member: Member, until: { id: string | undefined }): Promise<void> {
  const found = new Set<string>();
  told.set(role, found);
  for (let after: string | undefined; ; ) {
    const response = await ask(stage.installation, member, { after });
    if (response.status !== 200 || response.body === null) throw new Error(`${role}: ${await response.text()}`);
    const reader = new EventReader(response.body, after);
    opened.get(role)?.resolve();
    try {
      for (;;) {
        const { event, data } = await reader.next();
        if (event === "change") found.add(`${data.kind} ${data.id}`);
        if (event === "change" && data.id === until.id) return await reader.close();
        if (event === "end") break;
      }
    } finally {
      after = reader.revision;
    }
  }
}

const of = (role: Role): ReadonlySet<string> => told.get(role) ?? new Set();

const opened = new Map<Role, PromiseWithResolvers<void>>();

beforeAll(async () => {
  stage = await newStage();
  const until: { id: string | undefined } = { id: undefined };
  const collecting = Object.entries(stage.members).map(([role, member]) => {
    opened.set(role as Role, Promise.withResolvers());
    return collect(role as Role, member, until);
  });
  await Promise.all([...opened.values()].map(({ promise }) => promise));
  await changeEach(stage);
  const { owner, student, instructor } = stage.school;
  expectStatus(201, await owner.post("/finance/charges", { ...headset, person_id: instructor.personId }));
  await sendInvoice(stage.school, await newInvoice(stage.school, { person_id: student.personId }));
  expectStatus(200, await owner.patch(`/finance/customers/${student.personId}`, { customer_number: "4711" }));
  until.id = stage.school.orgId;
  await mark(stage.school);
  await Promise.all(collecting);
}, 240_000);
afterAll(() => stage.installation.close());

interface Row {
  kind: string;
  id: string;
  state: Record<string, string>;
}

async function rowsOfLog(database: "control" | "tenant"): Promise<Row[]> {
  const { storage } = stage.installation;
  const { orgId } = stage.school;
  const statement = sql`select subject_kind, subject_id, max(coalesce(payload ->> '$.after', payload ->> '$.before'))
    from audit_log where org_id is null or org_id = ${orgId} group by 1, 2`;
  const rows =
    database === "control"
      ? await storage.control.read((reader) => reader.values<[string, string, string | null]>(statement))
      : await storage.tenants
          .tenant(orgId as never)
          .read((reader) => reader.values<[string, string, string | null]>(statement));
  return rows.map(([kind, id, state]) => ({ kind, id, state: state === null ? {} : JSON.parse(state) }));
}

test("each kind that is written is told, or listed here with a reason", async () => {
  const declared = changeKinds.map(({ kind }) => kind);
  expect(declared.filter((kind, at) => declared.indexOf(kind) !== at)).toEqual([]);
  const rows = [...(await rowsOfLog("control")), ...(await rowsOfLog("tenant"))];
  const written = new Set([...(await writtenKinds()), ...rows.map(({ kind }) => kind)]);
  expect([...written].filter((kind) => !declared.includes(kind) && !(kind in untold))).toEqual([]);
  expect(declared.filter((kind) => kind in untold || !written.has(kind))).toEqual([]);
  expect(Object.keys(untold).filter((kind) => !written.has(kind))).toEqual([]);
});

test("the console knows what each kind shows in, or loads everything", () => {
  const paths = Object.keys(stage.document.paths);
  const isPath = (beginning: string) => paths.some((path) => path.startsWith(`/orgs/{orgId}${beginning}`));
  const kinds = changeKinds.map(({ kind }) => kind);
  expect(kinds.flatMap(pathsOf).filter((beginning) => !isPath(beginning))).toEqual([]);
  expect(kinds.filter((kind) => pathsOf(kind).includes("")).sort()).toEqual([
    ...["addon_listing", "api_key", "application", "event", "opportunity", "organization"],
    "replay",
  ]);
});

/** The GET of each record. A kind without one has no address of its own. */
const paths: Record<string, (row: Row) => string> = {
  aircraft: ({ id }) => `/aircraft/${id}`,
  person: ({ id }) => `/people/${id}`,
  member: ({ id }) => `/members/${id}`,
  flight: ({ id }) => `/flights/${id}`,
  defect: ({ id, state }) => `/aircraft/${state.aircraft_id}/defects/${id}`,
  maintenance_item: ({ id }) => `/maintenance/items/${id}`,
  work_order: ({ id }) => `/maintenance/work-orders/${id}`,
  compliance_record: ({ id }) => `/compliance/records/${id}`,
  compliance_type: ({ id }) => `/compliance/types/${id}`,
  compliance_requirement: ({ id }) => `/compliance/requirements/${id}`,
  planning_session: ({ id }) => `/planning/sessions/${id}`,
  planning_wish: ({ id }) => `/planning/wishes/${id}`,
  planning_room: ({ id }) => `/planning/rooms/${id}`,
  enrollment: ({ id }) => `/training/enrollments/${id}`,
  exam: ({ id, state }) => `/training/enrollments/${state.enrollment_id}/exams/${id}`,
  ground_session: ({ id, state }) => `/training/enrollments/${state.enrollment_id}/ground-sessions/${id}`,
  training_signoff: ({ id }) => `/training/signoffs/${id}`,
  training_program: ({ id }) => `/training/programs/${id}`,
  training_revision: ({ id, state }) => `/training/programs/${state.program_id}/revisions/${id}`,
  finance_charge: ({ id }) => `/finance/charges/${id}`,
  finance_invoice: ({ id }) => `/finance/invoices/${id}`,
  finance_payment: ({ id }) => `/finance/payments/${id}`,
  finance_package: ({ id }) => `/finance/packages/${id}`,
  finance_customer: ({ id }) => `/finance/customers/${id}`,
  finance_flight: ({ id }) => `/finance/flights/${id}`,
  finance_rate: ({ id }) => `/finance/rates/${id}`,
  evidence_pack: ({ id }) => `/evidence-packs/${id}`,
  webhook_endpoint: ({ id }) => `/integrations/webhook-endpoints/${id}`,
  api_key: ({ id }) => `/integrations/api-keys/${id}`,
};

const roles: Role[] = ["owner", "admin", "instructor", "mechanic", "accountant", "student"];

test.each(roles)(
  "the %s is told of each record that a GET shows them, and of no other",
  async (role) => {
    const member = stage.members[role];
    const { owner } = stage.school;
    const found = of(role);
    const rows = (await Promise.all([rowsOfLog("control"), rowsOfLog("tenant")])).flat();
    const wrong: string[] = [];
    const compared = new Set<string>();
    for (const row of rows) {
      const path = paths[row.kind]?.(row);
      if (path === undefined || !of("owner").has(`${row.kind} ${row.id}`)) continue;
      const shown = await member.get(path);
      const exists = role === "owner" ? shown.status : (await owner.get(path)).status;
      if (exists !== 200) continue;
      compared.add(row.kind);
      const isTold = found.has(`${row.kind} ${row.id}`);
      // Who pays for a flight that nobody has named is known before the approval, too: from its crew.
      if (row.kind === "finance_flight" && !isTold) continue;
      if (isTold !== (shown.status === 200)) wrong.push(`${row.kind} ${row.id}: ${shown.status}, told: ${isTold}`);
    }
    expect(wrong).toEqual([]);
    expect(Object.keys(paths).filter((kind) => !compared.has(kind))).toEqual([]);
  },
  120_000,
);

test("the student is told of some of their own, and not of all, of each kind of which they see only their own", () => {
  const own = changeKinds.flatMap(({ kind, seenBy }) =>
    paths[kind] && seenBy.some(({ of }) => of) && kind !== "member" ? [kind] : [],
  );
  const kindsOf = (records: Iterable<string>) => new Set([...records].map((record) => record.split(" ")[0] ?? ""));
  const hidden = [...of("owner")].filter((record) => !of("student").has(record));
  expect(own.filter((kind) => !kindsOf(of("student")).has(kind) && !onlyOthers.includes(kind))).toEqual([]);
  expect(own.filter((kind) => !kindsOf(hidden).has(kind) && !onlyTheirs.includes(kind))).toEqual([]);
});

/** What the stage makes for others only, or for the student only. They are told as the enrollments are. */
const onlyOthers: readonly string[] = ["ground_session", "exam"];
const onlyTheirs: readonly string[] = ["finance_package", "planning_wish", "evidence_pack"];
