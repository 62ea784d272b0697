import { extractText } from "unpdf";

/** Returns the text of each page of a PDF file. */
export async function pdfText(file: ArrayBuffer): Promise<string[]> {
  // pdf.js refuses to work beside an enumerable property of all arrays, and another package of the tests adds one.
  for (const name of Object.keys(Array.prototype)) Object.defineProperty(Array.prototype, name, { enumerable: false });
  return (await extractText(new Uint8Array(file))).text;
}
