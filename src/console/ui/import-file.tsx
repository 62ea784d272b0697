/**
 * An import of a CSV file: it is checked first, and shown with its faults in the cells, where they can be mended. Nothing is written
 * before all is right.
 */
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { type CsvLine, csvLines } from "../../core/csv-lines.ts";
import { csvLine } from "../../core/csv-writing.ts";
import type { ImportReport } from "../api/operations.ts";
import { explainIssue } from "../app/explain.ts";
import { text } from "../app/language.ts";
import { Badge } from "./badge.tsx";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { decoded, inApiWords, type Words } from "./spreadsheet.ts";
import { ProblemNotice } from "./states.tsx";

export interface ImportFileProps {
  /** Sends the file; with `isTrial`, nothing is changed. */
  send: (file: Blob, isTrial: boolean) => Promise<ImportReport>;
  onDone: (report: ImportReport) => unknown;
  /** A short file that shows how one looks. */
  example: string;
  /** What a line is matched by. */
  hint: string;
  /** How the reader's spreadsheet may name the columns. */
  columns?: Words;
}

interface Checked {
  content: string;
  name: string;
  report: ImportReport;
}

/** Rows with nothing to say are shown up to this number. */
const mostRows = 100;

export function ImportFile({ send, onDone, example, hint, columns = {} }: ImportFileProps) {
  const { imports: words } = text();
  const checked = useSignal<Checked | undefined>(undefined);
  const problem = useSignal<unknown>(undefined);
  const isOver = useSignal(false);
  const isBusy = useSignal(false);

  const check = async (content: string, name: string) => {
    isBusy.value = true;
    problem.value = undefined;
    try {
      checked.value = { content, name, report: await send(asFile(content), true) };
    } catch (error) {
      problem.value = error;
    } finally {
      isBusy.value = false;
    }
  };
  const take = async (file: File | undefined) => {
    if (file) await check(inApiWords(decoded(new Uint8Array(await file.arrayBuffer())), columns), file.name);
  };
  const write = async () => {
    if (!checked.value) return;
    problem.value = undefined;
    try {
      onDone(await send(asFile(checked.value.content), false));
    } catch (error) {
      problem.value = error;
    }
  };

  return (
    <div class="form">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field in it does the same */}
      <div
        class={isOver.value ? "drop over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          isOver.value = true;
        }}
        onDragLeave={() => {
          isOver.value = false;
        }}
        onDrop={(event) => {
          event.preventDefault();
          isOver.value = false;
          void take(event.dataTransfer?.files[0]);
        }}
      >
        <label class={checked.value ? "button" : "button primary"}>
          <Icon name="upload" />
          {checked.value ? words.other : words.choose}
          <input
            class="visually-hidden"
            type="file"
            accept=".csv,text/csv"
            onChange={({ currentTarget }) => {
              void take(currentTarget.files?.[0]);
              // So that the same file, mended, can be chosen again.
              currentTarget.value = "";
            }}
          />
        </label>
        <span class="hint">{words.checkedFirst}</span>
        <span class="hint">{hint}</span>
        <details class="small">
          <summary>{words.example}</summary>
          <pre class="mono">{example}</pre>
        </details>
      </div>
      {problem.value !== undefined && <ProblemNotice error={problem.value} />}
      {checked.value && (
        <Outcome
          {...checked.value}
          isBusy={isBusy.value}
          onMend={(content) => check(inApiWords(content, columns), checked.value?.name ?? "")}
          onWrite={write}
        />
      )}
    </div>
  );
}

const asFile = (content: string): Blob => new Blob([content], { type: "text/csv" });

interface OutcomeProps extends Checked {
  isBusy: boolean;
  onMend: (content: string) => Promise<void>;
  onWrite: () => Promise<void>;
}

function Outcome({ content, name, report, isBusy, onMend, onWrite }: OutcomeProps) {
  const { imports: words } = text();
  const [head, ...lines] = linesOf(content);
  const names = head?.cells ?? [];
  const faults = faultsOf(report);
  const inHead = names.map((column) => faults.get(`1.${column.toLowerCase()}`));
  const ofFile = report.issues.filter(({ path }) => /^body\.1(\.|$)/.test(path));
  const actionOf = new Map(report.lines.map(({ line, action }) => [line, action]));
  const isFaulty = ({ line }: CsvLine) => report.issues.some(({ path }) => path.split(".")[1] === String(line));
  // Faults first: they are what there is to do.
  const ordered = [...lines.filter(isFaulty), ...lines.filter((line) => !isFaulty(line))];
  const count = report.created + report.updated;

  const mend = (line: number, at: number, value: string) => {
    const mended = [head, ...lines].map((one) => ({
      cells: one?.line === line ? one.cells.map((cell, index) => (index === at ? value : cell)) : (one?.cells ?? []),
    }));
    return onMend(mended.map(({ cells }) => csvLine(cells)).join(""));
  };

  return (
    <>
      <div class="form-actions" role="status">
        <strong class="as-written">{name}</strong>
        {report.faults > 0 && <Badge tone="bad">{words.faults(report.faults)}</Badge>}
        {report.created > 0 && <Badge tone="good">{words.created(report.created)}</Badge>}
        {report.updated > 0 && <Badge tone="info">{words.updated(report.updated)}</Badge>}
        {report.unchanged > 0 && <Badge tone="neutral">{words.unchanged(report.unchanged)}</Badge>}
      </div>
      {ofFile.length > 0 && (
        <div class="notice bad">
          {ofFile.map((issue) => (
            <span key={issue.path}>
              {issue.path.split(".")[2] && <strong>{issue.path.split(".")[2]}: </strong>}
              {explainIssue(issue)}
            </span>
          ))}
        </div>
      )}
      {report.ignored_columns.length > 0 && (
        <p class="quiet small">{words.ignored(report.ignored_columns.join(", "))}</p>
      )}
      {report.faults > 0 ? (
        <p class="quiet">{words.mend}</p>
      ) : count === 0 ? (
        <p class="quiet">{words.nothing}</p>
      ) : (
        <div>
          <Button kind="primary" onClick={onWrite} busyText={words.writing}>
            {words.write(count)}
          </Button>
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls, also by keys */}
      <section class="table-frame scrolled" aria-busy={isBusy} tabIndex={0} aria-label={name}>
        <table class="table sheet">
          <thead>
            <tr>
              <th scope="col">{words.line}</th>
              {names.map((column, index) => (
                <th key={index} scope="col" class={inHead[index] ? "faulty" : undefined}>
                  {column}
                </th>
              ))}
              <th scope="col">{words.outcome}</th>
            </tr>
          </thead>
          <tbody>
            {ordered.slice(0, mostRows).map((line) => (
              <tr key={line.line}>
                <th scope="row">{line.line}</th>
                {names.map((column, index) => (
                  <Cell
                    key={index}
                    column={column}
                    label={`${column}, ${words.line} ${line.line}`}
                    value={line.cells[index] ?? ""}
                    fault={faults.get(`${line.line}.${column.toLowerCase()}`)}
                    onMend={(value) => mend(line.line, index, value)}
                  />
                ))}
                <td>
                  {faults.get(String(line.line)) ??
                    (isFaulty(line)
                      ? words.faulty
                      : words.actions[actionOf.get(line.line) ?? (report.faults > 0 ? "fine" : "unchanged")])}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {ordered.length > mostRows && <p class="quiet small">{words.more(ordered.length - mostRows)}</p>}
    </>
  );
}

interface CellProps {
  column: string;
  label: string;
  value: string;
  fault: string | undefined;
  onMend: (value: string) => Promise<void>;
}

function Cell({ column, label, value, fault, onMend }: CellProps) {
  const id = useId();
  if (fault === undefined) return <td>{value}</td>;
  return (
    <td>
      <div class="field">
        <span class="phone quiet small">{column}</span>
        <input
          class="input"
          aria-label={label}
          aria-invalid="true"
          aria-describedby={id}
          defaultValue={value}
          onChange={({ currentTarget }) => void onMend(currentTarget.value)}
        />
        <span class="fault" id={id}>
          {fault}
        </span>
      </div>
    </td>
  );
}

/** By line and column, or by line. Paths are `body.3.email`; a list's entry is part of its cell: `body.3.types.0`. */
const faultsOf = ({ issues }: ImportReport): ReadonlyMap<string, string> =>
  new Map(
    issues.toReversed().map((issue) => {
      const [, line = "", column] = issue.path.split(".");
      return [column === undefined ? line : `${line}.${column}`, explainIssue(issue)];
    }),
  );

function linesOf(content: string): CsvLine[] {
  return [...csvLines(content)].filter((line) => line !== undefined);
}
