/** The pages of a pack's PDF: they are counted before they are drawn. */
import { expect, test } from "bun:test";
import { type PackPage, packPdf } from "../../src/modules/evidence/pdf/pack-pdf.ts";
import { countPages, type Section } from "../../src/modules/evidence/pdf/sections.ts";
import { openDocument } from "../../src/pdf/open-document.ts";
import { footed, inTurns, paragraph } from "../../src/pdf/sheet.ts";
import { pdfText } from "../support/pdf-text.ts";

const id = "01890a5d-ac96-774b-bcce-b302099a8010" as PackPage["id"];

const pack = (sections: readonly Section[]): PackPage => ({
  ...{ id, type: "compliance_pack", thumbprint: "t", link: "https://school.example/verify", language: "en" },
  issuer: { id: id as never, name: "School", keys_url: "https://school.example/keys" },
  subject: { kind: "organization", id: id as never, name: "School" },
  ...{ parts: [], period: { from: null, to: null }, now: new Date("2026-06-15T09:00:00Z") },
  figures: { type: "compliance_pack", people: 1, aircraft: 1, grounded: 0, lacking: 0, defects: 0 },
  school: { kind: "ato", approval_number: "DE.ATO.017", authority: null },
  sections,
});

/** A section of so many lines, the first of which says where another begins. */
const lines = (key: string, counts: readonly number[], other = key): Section => {
  let made = 0;
  return {
    key,
    title: `Section ${key}`,
    async pages(document, firstPages) {
      const count = counts[Math.min(made, counts.length - 1)] ?? 0;
      made += 1;
      const text = [`${other} begins on ${firstPages.get(other)}`, ...Array<string>(count - 1).fill(`line of ${key}`)];
      return footed(
        document,
        text.flatMap((line) => paragraph(document, line)),
        { text: "School", whole: id },
      );
    },
  };
};

const drawn = async (sections: readonly Section[]) => {
  const bytes = Buffer.concat(await Array.fromAsync(packPdf(pack(sections))));
  return pdfText(new Uint8Array(bytes).buffer);
};

test("each page has its number, and the first page and the sections know where the others begin", async () => {
  const pages = await drawn([lines("a", [100], "b"), lines("b", [10])]);
  expect(pages.map((text) => /Page \d of \d/u.exec(text)?.[0])).toEqual([1, 2, 3, 4].map((at) => `Page ${at} of 4`));
  expect(pages[0]).toContain("Section a, from page 2");
  expect(pages[0]).toContain("Section b, from page 4");
  expect(pages[1]).toContain("b begins on 4");
});

test.each([
  ["longer", [10, 100]],
  ["shorter", [100, 10]],
])(
  "a section that was changed and is %s fails as changed: the numbers of the pages would be wrong",
  async (_, counts) => {
    for (const sections of [[lines("a", counts)], [lines("a", counts), lines("b", [10])]])
      expect(drawn(sections)).rejects.toMatchObject({ reason: "changed_meanwhile" });
  },
);

/** Work that takes longer than other work should wait. */
function busy(): [] {
  const until = performance.now() + 15;
  while (performance.now() < until);
  return [];
}

/** Returns how many turns other work gets meanwhile. */
async function turnsBeside(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work;
  isOver = true;
  return turns;
}

test("other work runs between the parts of a section, and between the sections that are counted", async () => {
  expect(await turnsBeside(inTurns([busy, busy, busy]))).toBeGreaterThanOrEqual(2);
  const document = await openDocument("Pack", new Date("2026-06-15T09:00:00Z"), { layout: "portrait", language: "en" });
  const section = (key: string): Section => ({ key, title: null, pages: async () => busy() });
  const counted = countPages(document, ["a", "b", "c"].map(section), 1);
  expect(await turnsBeside(counted)).toBeGreaterThanOrEqual(2);
});
