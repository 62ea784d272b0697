import type PDFDocument from "pdfkit";
import type { Language } from "../core/languages.ts";

export type Document = PDFKit.PDFDocument;

let loaded: Promise<{ create: typeof PDFDocument; font: Buffer }> | undefined;

/** Loaded when the first PDF is made: it takes longer to load than the rest of the program. */
async function load() {
  const { default: create } = await import("pdfkit");
  // In base64, because an import embeds text only.
  const { default: encoded } = await import("./dejavu-sans-condensed.txt", { with: { type: "text" } });
  return { create, font: Buffer.from(encoded, "base64") };
}

interface Options {
  layout?: "landscape" | "portrait";
  /** Of its text, for programs that read it aloud. */
  language?: Language | undefined;
}

/** Returns an empty document of A4 pages, with the font that all its text has. It has no page yet. */
export async function openDocument(
  title: string,
  now: Date,
  { layout = "landscape", language = "en" }: Options = {},
): Promise<Document> {
  loaded ??= load();
  const { create: Create, font } = await loaded;
  // Without a font: the executable lacks the standard ones.
  const options = {
    size: "A4",
    layout,
    margin: 0,
    autoFirstPage: false,
    lang: language,
    info: { Title: title, CreationDate: now },
  };
  const document = new Create({ ...options, font: null } as unknown as PDFKit.PDFDocumentOptions);
  document.font(font as unknown as PDFKit.Mixins.PDFFontSource);
  scaleUnknown(document as unknown as Embedding);
  return document;
}

/** What pdfkit embeds of the font: the widths of its glyphs, in thousandths of the size. */
interface Embedding {
  _font: { widths: number[]; scale: number };
}

/**
 * The glyph of characters that the font lacks is the first. pdfkit leaves its width in units of the font, so a viewer would
 * draw such characters further apart than they are measured, over the end of the cell.
 */
function scaleUnknown({ _font: { widths, scale } }: Embedding): void {
  widths[0] = (widths[0] ?? 0) * scale;
}

/** Returns what is finished of the document. */
export function* finished(document: Document): Generator<Buffer> {
  for (let piece = document.read(); piece !== null; piece = document.read()) yield piece;
}
