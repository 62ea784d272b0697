/** The schools as a table of 80 characters: each has its figures in the first line, and its id and owners in the second. */
import type { Listed } from "../modules/operations/org-commands.ts";

const width = 80;
const columns = [
  ["SCHOOL", 29],
  ["STATE", 10],
  ["MEMBERS", 7],
  ["SIZE", 9],
  ["WRITTEN", 10],
  ["BACKUP", 10],
] as const;

export const schoolTable = (schools: readonly Listed[]): string =>
  [lineOf(columns.map(([name]) => name)), ...schools.flatMap(linesOf)].join("\n");

function linesOf(school: Listed): string[] {
  const { id, name, state, members, bytes, written_at, backed_up_at, schema_version, file_fault } = school;
  const version = schema_version === null ? "" : `v${schema_version}  `;
  const second = `  ${id}  ${version}`;
  return [
    lineOf([
      name,
      file_fault !== null ? "unusable" : state === "active" ? "active" : "suspended",
      String(members),
      bytes === null ? "no file" : sizeOf(bytes),
      dayOf(written_at),
      dayOf(backed_up_at),
    ]),
    `${second}${ownersOf(school, width - second.length)}`.trimEnd(),
    ...(file_fault === null ? [] : [cut(`  its file can't be used: ${file_fault.replaceAll("\n", " ")}`, width)]),
    ...(state === "active" ? [] : [suspensionOf(school)]),
  ];
}

const numbers = new Set([2, 3]);

const lineOf = (cells: readonly string[]): string =>
  columns
    .map(([, size], at) => {
      const cell = cut(cells[at] ?? "", size);
      return numbers.has(at) ? cell.padStart(size) : cell.padEnd(size);
    })
    .join(" ")
    .trimEnd();

const cut = (text: string, size: number): string =>
  [...text].length <= size ? text : `${[...text].slice(0, size - 1).join("")}…`;

const dayOf = (at: string | null): string => at?.slice(0, 10) ?? "none";

/** Those that fit, and how many more there are. */
function ownersOf({ owners }: Listed, size: number): string {
  for (let shown = owners.length; shown > 1; shown -= 1) {
    const more = owners.length - shown;
    const text = `${owners.slice(0, shown).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
    if (text.length <= size) return text;
  }
  const [first = "no owner"] = owners;
  const more = owners.length > 1 ? ` and ${owners.length - 1} more` : "";
  return `${cut(first, size - more.length)}${more}`;
}

function suspensionOf({ suspended_at, removal_at, reason }: Listed): string {
  const since = `  suspended since ${dayOf(suspended_at)}`;
  const until = removal_at === null ? "" : `, to be deleted on ${dayOf(removal_at)}`;
  return cut(`${since}${until}: ${reason}`, width);
}

const units = ["B", "KiB", "MiB", "GiB", "TiB"];

export function sizeOf(bytes: number): string {
  const step = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}
