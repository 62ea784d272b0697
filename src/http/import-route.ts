/** `POST /orgs/{orgId}/{path}/import`: adds and changes the resources of a list from a CSV file. */
import { Elysia } from "elysia";
import { z } from "zod";
import { Problem } from "../core/errors.ts";
import { Faults } from "../core/faults.ts";
import type { Imported } from "../core/imports.ts";
import type { Permission } from "../core/permissions.ts";
import type { InOrganization } from "../storage/context.ts";
import { requires } from "./before-validation.ts";
import { csvBody } from "./body-limits.ts";
import { shownIssue } from "./error-envelope.ts";
import { idOf } from "./fields.ts";
import type { Http } from "./http.ts";
import { LIST_SEPARATOR } from "./import-cell.ts";
import { type Columns, MAX_LINES, readTable, type Table } from "./import-table.ts";
import { jsonText } from "./json-text.ts";
import { booleanQuery } from "./query.ts";
import { data, issue, responses } from "./responses.ts";
import type { RoutePlugin } from "./route.ts";

/** 5,000 lines of 400 bytes. */
const MAX_BYTES = 2 * 1024 * 1024;

const count = (description: string) => z.int().meta({ description, examples: [1] });

const ImportReport = z
  .strictObject({
    dry_run: z.boolean().meta({ description: "Whether nothing was changed.", examples: [false] }),
    created: count("The lines that were new, or in a dry run would be. 0 if there are faults."),
    updated: count("The lines that changed a record, or in a dry run would. 0 if there are faults."),
    unchanged: count("The lines whose values were stored already, also if there are faults."),
    faults: z.int().meta({ description: "The number of faults; 0 unless it is a dry run.", examples: [0] }),
    ignored_columns: z
      .array(z.string())
      .meta({ description: "Columns with fields that an import does not set.", examples: [["created_at"]] }),
    lines: z
      .array(
        z.strictObject({
          line: z.int().meta({ description: "The number of the line in the file, from 1.", examples: [2] }),
          action: z.enum(["created", "updated"]),
          id: idOf<string>().nullable().meta({ description: "Null for what a dry run would create." }),
          changed: z.array(z.string()).meta({ description: "The changed fields of an update.", examples: [[]] }),
        }),
      )
      .meta({ description: "The lines that `created` and `updated` count." }),
    issues: z.array(issue).meta({ description: `The first ${Faults.MOST} faults of a dry run.`, examples: [[]] }),
  })
  .meta({
    id: "ImportReport",
    description: "What an import did or, in a dry run, would do. With faults, it changes nothing.",
  });

const ImportQuery = z.strictObject({
  dry_run: booleanQuery("Whether to change nothing: the response is the report, with all faults."),
});

interface ImportRoute<Given extends object> {
  tag: string;
  /** Below `/orgs/{orgId}`. */
  path: string;
  /** In the plural. */
  name: string;
  permission: Permission;
  /** How a line finds the record that it describes, and what else is special. */
  description: string;
  /** A file. */
  example: string;
  columns: Columns<Given>;
  verb(context: InOrganization, table: Table<Given>, isTrial: boolean): Promise<Imported>;
}

export const importRoute = <Given extends object>(
  { session }: Http,
  { tag, path, name, permission, description, example, columns, verb }: ImportRoute<Given>,
): RoutePlugin =>
  new Elysia({ name: `${path}.import`, prefix: `/orgs/:orgId/${path}`, tags: [tag] }).use(session).post(
    "/import",
    async ({ context, body, query: { dry_run } }) => {
      const table = await readTable(body, columns);
      const imported = await verb(context, table, dry_run);
      const { issues, count: faults } = table.faults;
      if (faults > 0 && !dry_run) throw refused(table.faults);
      const shown = issues.map((one) => shownIssue({ ...one, path: `body.${one.path}` }));
      const report = { dry_run, ...imported, faults, ignored_columns: table.ignored, issues: shown };
      return jsonText(JSON.stringify({ data: report }));
    },
    {
      transform: requires(permission),
      query: ImportQuery,
      body: csvBody(MAX_BYTES, {
        description: `At most ${MAX_LINES} lines after the first, and 100,000 with blank ones.`,
        examples: [example],
      }),
      response: responses({ 200: data(ImportReport) }, 400, 401, 404),
      detail: {
        summary: `Import ${name} from CSV`,
        description: `${description} ${format}`,
      },
    },
  );

const format = `The file is UTF-8, with a comma or a semicolon between the values. Its first line names the columns: the fields of the JSON, of which \`ignored_columns\` of the response are left alone. The entries of a list are separated by \`${LIST_SEPARATOR}\`. An empty cell means no value: a new record gets the default, and a stored value stays. If one line has a fault, nothing is changed: 400 with an issue for each fault, whose path has the number of the line and the column, such as \`body.3.email\`. A second import of the same file changes nothing.`;

const refused = ({ count, issues }: Faults): Problem => {
  const which = count > issues.length ? ` The first ${issues.length} are listed.` : "";
  const found = count === 1 ? "The file has a fault." : `The file has ${count} faults.`;
  return new Problem("VALIDATION_ERROR", `${found}${which} Nothing was changed.`, { issues });
};
