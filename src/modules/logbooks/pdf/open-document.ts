import type PDFDocument from "pdfkit";
// In base64, because an import embeds text only.
import encoded from "./dejavu-sans-condensed.txt" with { type: "text" };

export type Document = PDFKit.PDFDocument;

let loaded: Promise<{ create: typeof PDFDocument; font: Buffer }> | undefined;

/** Loaded when the first PDF is made: it takes longer to load than the rest of the program. */
async function load() {
  const { default: create } = await import("pdfkit");
  return { create, font: Buffer.from(encoded, "base64") };
}

/** Returns an empty document of A4 pages, with the font that all its text has. It has no page yet. */
export async function openDocument(
  title: string,
  now: Date,
  layout: "landscape" | "portrait" = "landscape",
): Promise<Document> {
  loaded ??= load();
  const { create: Create, font } = await loaded;
  // Without a font: the executable lacks the standard ones.
  const options = {
    size: "A4",
    layout,
    margin: 0,
    autoFirstPage: false,
    info: { Title: title, CreationDate: now },
  };
  const document = new Create({ ...options, font: null } as unknown as PDFKit.PDFDocumentOptions);
  return document.font(font as unknown as PDFKit.Mixins.PDFFontSource);
}

/** Returns what is finished of the document. */
export function* finished(document: Document): Generator<Buffer> {
  for (let piece = document.read(); piece !== null; piece = document.read()) yield piece;
}
