/** The output of `/installation`. */
import { z } from "zod";
import { type FindingValues, findingCodeNames } from "../../core/finding.ts";
import { EXAMPLE_INSTANT, instantOut } from "../../http/fields.ts";
import { paging, sortedBy } from "../../http/query.ts";
import { Run } from "./debug.schemas.ts";

const bytes = (description: string) => z.int().meta({ description, examples: [4_194_304] });
const count = (description: string) => z.int().meta({ description, examples: [12] });

const instant = z.string().meta({ format: "date-time", examples: [EXAMPLE_INSTANT] });

const values = {
  at: instant,
  now: instant,
  path: z.string().meta({ examples: ["/var/lib/windsock"] }),
  files: z.array(z.string()).meta({ examples: [["01890a5d-ac96-774b-bcce-b302099a8057.db"]] }),
  free_mib: z.int().meta({ examples: [512] }),
  limit: z.int().meta({ examples: [1024] }),
  schools: z.int().meta({ examples: [76] }),
  host: z.string().meta({ examples: ["mail.example.com"] }),
  url: z.string().meta({ examples: ["https://ops.example.com"] }),
  error: z.string().meta({ examples: ["ECONNREFUSED"] }),
  status_code: z.int().meta({ examples: [502] }),
  organization_id: z.string().meta({ examples: ["01890a5d-ac96-774b-bcce-b302099a8057"] }),
  organization_name: z.string().meta({ examples: ["Windy Hill Flight School"] }),
  fault: z.string().meta({ examples: ["database disk image is malformed"] }),
  command: z.string().meta({ examples: ["windsock check --org 01890a5d-ac96-774b-bcce-b302099a8057"] }),
  job: z.string().meta({ examples: ["backup"] }),
  failures: z.int().meta({ examples: [3] }),
  summary: z.string().meta({ examples: ["The disk is full."] }),
} satisfies Record<keyof FindingValues, z.ZodType>;

export const Finding = z
  .strictObject({
    subject: z.string().meta({ description: "What was looked at.", examples: ["backups"] }),
    level: z.enum(["fine", "warning", "error"]).meta({ examples: ["warning"] }),
    message: z.string().meta({ examples: ["The newest backup is of 2026-06-12T03:11:00.000Z."] }),
    remedy: z
      .string()
      .optional()
      .meta({ description: "What to do. Missing if all is well.", examples: ["`windsock backup` makes one now."] }),
    code: z
      .enum(findingCodeNames)
      .optional()
      .meta({ description: "The case, for programs. Missing if all is well.", examples: ["backups_old"] }),
    params: z
      .strictObject(values)
      .partial()
      .optional()
      .meta({
        description: "The values of the message.",
        examples: [{ at: "2026-06-12T03:11:00.000Z" }],
      }),
  })
  .meta({ id: "Finding" });

export const Findings = z
  .strictObject({
    examined_at: instantOut.meta({ description: "When it was looked, at most half a minute ago." }),
    findings: z.array(Finding).meta({ description: "As of `windsock doctor`: errors first, then warnings." }),
  })
  .meta({ id: "Findings" });

export const Installation = z
  .strictObject({
    version: z.string().meta({ description: "The version of Windsock.", examples: ["0.1.0"] }),
    runtime: z.string().meta({ examples: ["Bun 1.4.5"] }),
    platform: z.string().meta({ examples: ["linux x64"] }),
    schema_version: count("The version of a school's file that this version of Windsock writes."),
    started_at: instantOut,
    public_url: z.string().meta({ description: "`WINDSOCK_PUBLIC_URL`.", examples: ["https://ops.example.com"] }),
    waits_for_lock: z.boolean().meta({
      description: "Whether it waits as a standby while another server uses the data (`WINDSOCK_WAIT_FOR_LOCK`).",
      examples: [false],
    }),
    has_standby: z
      .boolean()
      .nullable()
      .meta({
        description: "Whether another server waits for the data now, to take over. Null if it is not known.",
        examples: [true],
      }),
    disk: z
      .strictObject({
        free_bytes: bytes("What this process may still use."),
        size_bytes: bytes("The size of the disk."),
        warning_bytes: bytes("With less, it is nearly full (`WINDSOCK_DISK_WARNING_MIB`)."),
        state: z.enum(["enough", "low", "full"]).meta({ examples: ["enough"] }),
      })
      .nullable()
      .describe("The disk of the data directory. Null if the system does not tell."),
    databases: z
      .strictObject({
        schools: count("Databases of schools."),
        bytes: bytes("Of all databases with their journals."),
        largest_bytes: bytes("Of the largest one of a school."),
        read_at: instantOut,
      })
      .nullable()
      .describe("Null until the sizes were read, which happens every five minutes at most."),
    limits: z.strictObject({
      open_files: z
        .int()
        .nullable()
        .meta({ description: "Files and sockets that it has open.", examples: [120] }),
      most_open_files: z
        .int()
        .nullable()
        .meta({ description: "Null: without a limit, or unknown.", examples: [16384] }),
      open_schools: count("Schools whose file is open."),
      most_open_schools: count("Others are closed to open one more."),
      api_key_rate: count("Requests a minute for each API key."),
      write_rate: count("Writes a minute for each account."),
      attachment_quota_bytes: bytes("Of files for each organization."),
      event_retention_days: count("After which events and their deliveries are deleted."),
    }),
    mails: z
      .strictObject({
        from: z.string().meta({ description: "The sender.", examples: ["Windsock <no-reply@localhost>"] }),
        waiting_count: count("Being sent, or waiting for it."),
        sent_count: count("Taken by the mail server since the start."),
        failed_count: count("Not taken. What is in the queue of a school is tried again."),
        dropped_count: count("Not sent, since the queue was full."),
      })
      .nullable()
      .describe("Null if no mail server is configured."),
    backups: z
      .strictObject({
        path: z.string().meta({ description: "`WINDSOCK_BACKUP_DIR`.", examples: ["/var/backups/windsock"] }),
        schedule: z.string().meta({ description: "A cron pattern, in UTC.", examples: ["11 3 * * *"] }),
        next_run_at: instantOut.nullable(),
        keep_count: z
          .int()
          .nullable()
          .meta({ description: "The newest that are kept.", examples: [7] }),
        keep_days: z
          .int()
          .nullable()
          .meta({ description: "For how long each is kept.", examples: [60] }),
        is_encrypted: z.boolean().meta({ examples: [true] }),
        has_command: z.boolean().meta({
          description: "Whether a program takes each to another place (`WINDSOCK_BACKUP_COMMAND`).",
          examples: [true],
        }),
        is_drilled: z.boolean().meta({
          description: "Whether the newest is tried every night (`WINDSOCK_BACKUP_DRILL`).",
          examples: [true],
        }),
        newest: z
          .strictObject({
            path: z.string().meta({ examples: ["/var/backups/windsock/2026-06-14T03-11-00-000Z"] }),
            started_at: instantOut,
            finished_at: instantOut,
            bytes: bytes("Of its files. Unchanged ones are shared with other backups."),
            schools: count("Copies of schools."),
            older_copies: z.int().meta({ description: "Those that could not be made anew.", examples: [0] }),
            missing_schools: z.int().meta({ description: "Without a copy.", examples: [0] }),
          })
          .nullable()
          .describe("The newest complete backup of all. Null if there is none, or if the directory can't be read."),
        last_run: Run.nullable(),
        last_drill: Run.nullable(),
      })
      .nullable()
      .describe("Null if no directory of backups is configured."),
  })
  .meta({ id: "Installation" });

export const SchoolsQuery = z.strictObject({
  ...paging,
  order: sortedBy("name", "-name", "-members", "-bytes", "-written_at", "backed_up_at"),
});
