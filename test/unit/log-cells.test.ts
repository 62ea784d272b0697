/** Where the text of a log is on paper: inside its cell, whatever its characters are. */
import { expect, test } from "bun:test";
import { drawFrame, drawRow } from "../../src/modules/logbooks/pdf/draw-page.ts";
import { logbookFor } from "../../src/modules/logbooks/pdf/logbook-pdf.ts";
import { finished, openDocument } from "../../src/modules/logbooks/pdf/open-document.ts";
import { pdfItems } from "../support/pdf-text.ts";

const now = new Date("2026-06-14T10:00:00Z");
const [left, right] = [28, 814];

test.each([
  ["a long name", "Maximiliane-Friederike von Hohenzollern-Sigmaringen und zu Löwenstein"],
  ["a name without spaces", "W".repeat(120)],
  ["a script that the font does not have", "李".repeat(60)],
  ["pictures", "👩‍✈️".repeat(20)],
])("%s ends inside its cell, and that of the holder on the page", async (_, name) => {
  const document = await openDocument("Pilot logbook", now);
  const book = logbookFor({ name, licence_number: null }, { from: undefined, to: undefined }, now);
  const columns = book.columns.filter(({ isNumber }) => isNumber !== true);
  document.addPage();
  drawFrame(
    document,
    { ...book, columns, count: 1, read: () => Promise.reject(new Error("Not read.")) },
    "Page 1 of 1",
  );
  const aircraft = { model: name, registration: "D-EABC", class: "SEP" };
  const flown = { date: "2026-06-14", departure: "EDFE", arrival: "EDKB", off_block_at: null, on_block_at: null };
  drawRow(document, columns, { ...flown, aircraft, function: "dual", pic_name: name, remarks: name } as never, 0);
  document.end();

  const items = await pdfItems(Buffer.concat([...finished(document)]));
  const [subject] = items.filter(({ y, x }) => y < 45 && x > 150);
  expect(subject?.end).toBeLessThanOrEqual(right + 0.01);
  for (const wanted of ["Make, model", "Name of PIC", "Remarks and endorsements"]) {
    const at = columns.findIndex((column) => column.name === wanted);
    const start = columns.slice(0, at).reduce((sum, { width }) => sum + width, left);
    const end = start + (columns[at]?.width ?? 0);
    const lines = items.filter(({ x, y }) => y > 86 && y < 106 && x >= start && x < end);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line.end).toBeLessThanOrEqual(end);
  }
});
