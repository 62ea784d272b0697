/** Where the text of a log is on paper: inside its cell, whatever its characters are. */
import { expect, test } from "bun:test";
import { sums } from "../../src/modules/logbooks/logbooks.schemas.ts";
import { logbookFor } from "../../src/modules/logbooks/pdf/logbook-pdf.ts";
import { drawFrame, drawRow } from "../../src/pdf/draw-page.ts";
import { finished, openDocument } from "../../src/pdf/open-document.ts";
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
  const address = { street: name, postcode: null, city: name, country: null };
  const book = logbookFor(
    { name, licence_number: null, ...address },
    { period: { from: undefined, to: undefined }, language: "en", now },
  );
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

test("a mark is below its time, and who countersigns below the remarks", async () => {
  const document = await openDocument("Pilot logbook", now);
  const holder = { name: "Sam", licence_number: null, street: null, postcode: null, city: null, country: null };
  const { columns } = logbookFor(holder, { period: { from: undefined, to: undefined }, language: "en", now });
  document.addPage();
  const aircraft = { model: "Cessna 172S", registration: "D-EABC", class: "SEP" };
  const row = {
    date: "2026-06-14",
    aircraft,
    function: "spic",
    pic_name: "Ines",
    pic_minutes: 62,
    remarks: "Circuits",
  };
  const zeros = Object.fromEntries(Object.keys(sums).map((name) => [name, 0]));
  drawRow(document, columns, { ...zeros, ...row } as never, 0);
  document.end();
  const items = await pdfItems(Buffer.concat([...finished(document)]));
  const at = (wanted: string) => {
    const found = items.find(({ text }) => text === wanted);
    const x = found?.x ?? Number.NaN;
    let end = left;
    const column = columns.find(({ width }) => {
      end += width;
      return x < end;
    });
    return { column: column?.name, y: found?.y ?? Number.NaN };
  };
  for (const [above, below, column] of [
    ["1:02", "SPIC", "PIC"],
    ["Circuits", "Instructor:", "Remarks and endorsements"],
  ] as const) {
    expect([at(above).column, at(below).column]).toEqual([column, column]);
    expect(at(below).y - at(above).y).toBeCloseTo(8, 1);
    expect(at(below).y).toBeLessThan(106);
  }
});
