import { expect, test } from "bun:test";
import { schoolTable } from "../../src/cli/school-table.ts";
import type { Instant } from "../../src/core/clock.ts";
import type { OrgId } from "../../src/core/ids.ts";
import type { Listed } from "../../src/modules/operations/org-commands.ts";

const at = "2026-06-14T09:00:00.000Z" as Instant;

const school = (change: Partial<Listed> = {}): Listed => ({
  id: "01890a5d-ac96-774b-bcce-b302099a8057" as OrgId,
  name: "Flugschule Egelsbach",
  kind: "ato",
  state: "active",
  suspended_at: null,
  reason: null,
  removal_at: null,
  owners: ["olga@example.com"],
  members: 12,
  bytes: 1_258_291,
  written_at: at,
  schema_version: 1,
  backed_up_at: at,
  file_fault: null,
  ...change,
});

test("the table of schools is readable at 80 characters", () => {
  const suspended = { state: "removal_planned", suspended_at: at, removal_at: at, reason: "Not paid." } as const;
  const table = schoolTable([
    school(),
    school({
      ...suspended,
      name: "Flugschule mit einem Namen, der in keine Spalte passt",
      owners: ["olga.owner@a-long-name.example", "otto@example.com", "omar@example.com"],
      bytes: null,
      backed_up_at: null,
      schema_version: null,
    }),
    school({ file_fault: "the file is shorter than its header says,\nand nobody can read it: restore a copy" }),
  ]);
  expect(table.split("\n")).toEqual([
    "SCHOOL                        STATE      MEMBERS      SIZE WRITTEN    BACKUP",
    "Flugschule Egelsbach          active          12   1.2 MiB 2026-06-14 2026-06-14",
    "  01890a5d-ac96-774b-bcce-b302099a8057  v1  olga@example.com",
    "Flugschule mit einem Namen, … suspended       12   no file 2026-06-14 none",
    "  01890a5d-ac96-774b-bcce-b302099a8057  olga.owner@a-long-name.examp… and 2 more",
    "  suspended since 2026-06-14, to be deleted on 2026-06-14: Not paid.",
    "Flugschule Egelsbach          unusable        12   1.2 MiB 2026-06-14 2026-06-14",
    "  01890a5d-ac96-774b-bcce-b302099a8057  v1  olga@example.com",
    "  its file can't be used: the file is shorter than its header says, and nobody …",
  ]);
  for (const line of table.split("\n")) expect([...line].length).toBeLessThanOrEqual(80);
});
