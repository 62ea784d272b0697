/** A pack for people: what it is, the link that verifies it, as text and as a QR code, and after this page its sections. */
import { ownTurn } from "../../../core/async.ts";
import { toInstant } from "../../../core/clock.ts";
import { conflict } from "../../../core/errors.ts";
import { dateIn, minuteIn, numberIn } from "../../../core/forms.ts";
import type { Language } from "../../../core/languages.ts";
import { drawCode } from "../../../pdf/draw-code.ts";
import { type Document, finished, openDocument } from "../../../pdf/open-document.ts";
import { foot } from "../../../pdf/sheet.ts";
import type { Organization } from "../../organizations/organizations.shapes.ts";
import { textsOf } from "../../training/file/pdf/texts/texts.ts";
import type { Manifest } from "../format/manifest.ts";
import type { Summary } from "../packs/contents.ts";
import { countPages, type FirstPages, type Section } from "./sections.ts";
import { packTexts } from "./texts.ts";

/** A manifest without what is known only after the PDF was made. */
export interface PackPage extends Summary, Pick<Manifest, "id" | "type" | "issuer" | "subject" | "parts"> {
  /** With the number of its approval, which the manifest has not. */
  school: Pick<Organization, "kind" | "approval_number" | "authority">;
  sections: readonly Section[];
  thumbprint: string;
  link: string;
  language: Language;
  now: Date;
}

const [left, right, top] = [50, 545, 50];
const label = 130;
/** Where the digest of a part begins: the longest name and its bytes stand before it. */
const digest = 175;
const qrSize = 150;
const [dark, quiet] = ["#17202c", "#4d5a6b"];

/** @throws CONFLICT the records of a section were changed meanwhile, so that it has another number of pages */
export async function* packPdf(page: PackPage): AsyncGenerator<Uint8Array> {
  const { language, now, subject, sections } = page;
  const title = `${packTexts(language).pack} · ${subject.name}`;
  const document = await openDocument(title, now, { layout: "portrait", language });
  await ownTurn();
  const { firstPages, count } = await countPages(document, sections, 1);
  const texts = textsOf(language);
  document.addPage();
  draw(document, { ...page, firstPages });
  foot(document, { text: subject.name, whole: page.id, number: texts.page(1, count) });
  let number = 1;
  for (const section of sections) {
    const pages = await section.pages(document, firstPages);
    if (firstPages.get(section.key) !== number + 1) throw changedMeanwhile();
    for (const one of pages) {
      number += 1;
      await ownTurn();
      document.addPage();
      one.draw(texts.page(number, count));
      yield* finished(document);
    }
  }
  if (number !== count) throw changedMeanwhile();
  await ownTurn();
  document.end();
  for await (const piece of document) yield Buffer.from(piece);
}

const changedMeanwhile = () =>
  conflict("changed_meanwhile", "The records were changed while the PDF of the pack was made.");

function draw(document: Document, page: PackPage & { firstPages: FirstPages }): void {
  const { issuer, subject, figures, parts, id, thumbprint, link, language, now, school, sections } = page;
  const texts = packTexts(language);
  const qrLeft = right - qrSize;
  drawCode(document, link, { x: qrLeft, y: top, size: qrSize });
  document.fillColor(quiet).fontSize(8);
  document.text(texts.scan, qrLeft, top + qrSize + 6, { width: qrSize, align: "center" });

  document
    .fillColor(dark)
    .fontSize(20)
    .text(texts.pack, left, top, { width: qrLeft - left - 20 });
  document
    .fillColor(quiet)
    .fontSize(11)
    .text(texts.titles[page.type], { width: qrLeft - left - 20 });
  let y = top + 70;
  const line = (name: string, value: string, width = right - left - label) => {
    document
      .fontSize(9)
      .fillColor(quiet)
      .text(name, left, y, { width: label - 10 });
    const below = document.y;
    document.fillColor(dark).text(value, left + label, y, { width });
    y = Math.max(below, document.y) + 5;
  };
  const beside = qrLeft - left - label - 20;
  line(texts.issuedBy, issuer.name, beside);
  const { kinds } = textsOf(language).school;
  line(
    texts.approval,
    [kinds[school.kind], school.approval_number, school.authority].filter(Boolean).join(", "),
    beside,
  );
  line(texts.about, subject.name, beside);
  line(...periodOf(page), beside);
  line(texts.made, minuteIn(language, toInstant(now)), beside);
  for (const [name, figure] of texts.figures(figures)) line(name, figure, beside);
  const listed = sections.flatMap(({ key, title }) =>
    title === null ? [] : [[title, page.firstPages.get(key)] as const],
  );
  for (const [at, [title, first = 0]] of listed.entries())
    line(at === 0 ? texts.inside[page.type] : "", texts.fromPage(title, first), beside);

  y = Math.max(y + 16, top + qrSize + 34);
  heading(document, texts.contents, y);
  y += 20;
  for (const { name, bytes, sha256 } of parts) {
    document
      .fontSize(9)
      .fillColor(dark)
      .text(name, left, y, { width: digest - 70 });
    document.text(numberIn(language, String(bytes)), left + digest - 60, y, { width: 50, align: "right" });
    document
      .fontSize(8)
      .fillColor(quiet)
      .text(sha256, left + digest, y, { width: right - left - digest });
    y += 14;
  }
  document.fontSize(8).text(texts.contentsNote, left, y + 2);
  y += 28;
  heading(document, texts.verify, y);
  y += 20;
  document
    .fontSize(9)
    .fillColor(quiet)
    .text(texts.link, left, y, { width: label - 10 });
  document.fillColor(dark);
  for (const one of linesOf(document, link, right - left - label)) {
    document.text(one, left + label, y, { lineBreak: false, link });
    y += document.currentLineHeight(true);
  }
  y += 5;
  line(texts.id, id);
  line(texts.key, thumbprint);
  line(texts.keys, issuer.keys_url);
  line(texts.offline, texts.howOffline);
}

function periodOf({ type, period: { from, to }, language }: PackPage): [name: string, value: string] {
  const { stateOf, period, between, noRecords } = packTexts(language);
  if (type === "compliance_pack") return [stateOf, to === null ? "" : dateIn(language, to)];
  const [first, last] = [from && dateIn(language, from), to && dateIn(language, to)];
  return [period, first && last ? between(first, last) : noRecords];
}

/** Cuts text where a line is full: wrapped at a hyphen of its own, it would look hyphenated. */
function linesOf(document: Document, text: string, width: number): string[] {
  const lines: string[] = [];
  let last = "";
  for (const letter of text) {
    if (document.widthOfString(last + letter) > width) {
      lines.push(last);
      last = "";
    }
    last += letter;
  }
  return [...lines, last];
}

function heading(document: Document, text: string, y: number): void {
  document
    .moveTo(left, y - 6)
    .lineTo(right, y - 6)
    .lineWidth(0.5)
    .strokeColor(quiet)
    .stroke();
  document.fontSize(11).fillColor(dark).text(text, left, y);
}
