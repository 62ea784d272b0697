/** The page of a pack for people: what it is, and the link that verifies it, as text and as a QR code. */
import { ownTurn } from "../../../core/async.ts";
import { drawCode } from "../../../pdf/draw-code.ts";
import { type Document, openDocument } from "../../../pdf/open-document.ts";
import type { Manifest } from "../format/manifest.ts";
import type { Summary } from "../packs/contents.ts";

/** A manifest without what is known only after the PDF was made. */
export interface PackPage extends Summary, Pick<Manifest, "id" | "type" | "issuer" | "subject" | "parts"> {
  thumbprint: string;
  link: string;
  now: Date;
}

const [left, right, top] = [50, 545, 50];
const label = 130;
const qrSize = 150;
const [dark, quiet] = ["#17202c", "#4d5a6b"];

const titles = {
  pilot_portable: "Flights, records and training of a pilot",
  compliance_pack: "State of the organization",
} as const;

export async function* packPdf(page: PackPage): AsyncGenerator<Uint8Array> {
  const document = await openDocument(`Evidence pack · ${page.subject.name}`, page.now, { layout: "portrait" });
  await ownTurn();
  document.addPage();
  draw(document, page);
  await ownTurn();
  document.end();
  for await (const piece of document) yield Buffer.from(piece);
}

function draw(document: Document, page: PackPage): void {
  const { issuer, subject, figures, parts, id, thumbprint, link, now } = page;
  const qrLeft = right - qrSize;
  drawCode(document, link, { x: qrLeft, y: top, size: qrSize });
  document.fillColor(quiet).fontSize(8);
  document.text("Scan to verify this pack", qrLeft, top + qrSize + 6, { width: qrSize, align: "center" });

  document
    .fillColor(dark)
    .fontSize(20)
    .text("Evidence pack", left, top, { width: qrLeft - left - 20 });
  document
    .fillColor(quiet)
    .fontSize(11)
    .text(titles[page.type], { width: qrLeft - left - 20 });
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
  line("Issued by", issuer.name, beside);
  line("For", subject.name, beside);
  line(...periodOf(page), beside);
  line("Made", `${now.toISOString().slice(0, 16).replace("T", " ")} UTC`, beside);
  for (const [name, figure] of figures) line(name, figure, beside);

  y = Math.max(y + 16, top + qrSize + 34);
  heading(document, "What is in the pack", y);
  y += 20;
  for (const { name, bytes, sha256 } of parts) {
    document
      .fontSize(9)
      .fillColor(dark)
      .text(name, left, y, { width: label - 10 });
    document.text(bytes.toLocaleString("en"), left + label - 60, y, { width: 50, align: "right" });
    document
      .fontSize(8)
      .fillColor(quiet)
      .text(sha256, left + label, y, { width: right - left - label });
    y += 14;
  }
  document.fontSize(8).text("The number of bytes, and the SHA-256 digest.", left, y + 2);
  y += 28;
  heading(document, "How to verify it", y);
  y += 20;
  document
    .fontSize(9)
    .fillColor(quiet)
    .text("Link", left, y, { width: label - 10 });
  document.fillColor(dark);
  for (const one of linesOf(document, link, right - left - label)) {
    document.text(one, left + label, y, { lineBreak: false, link });
    y += document.currentLineHeight(true);
  }
  y += 5;
  line("Pack", id);
  line("Key of the issuer", thumbprint);
  line("Public keys", issuer.keys_url);
  line(
    "Without a network",
    "windsock verify FILE --key KEY checks the whole file, with the thumbprint of the key or a file with the public keys. This page alone proves nothing: compare it with what the link shows.",
  );
}

function periodOf({ type, period: { from, to } }: PackPage): [name: string, value: string] {
  if (type === "compliance_pack") return ["State of", to ?? ""];
  return ["Period", from === null ? "No records" : `${from} to ${to}`];
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
