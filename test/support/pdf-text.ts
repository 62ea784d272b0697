import { extractText, getDocumentProxy } from "unpdf";

/** Returns the text of each page of a PDF file. */
export async function pdfText(file: ArrayBuffer): Promise<string[]> {
  hideAdded();
  return (await extractText(new Uint8Array(file))).text;
}

/** Returns the texts of the first page in points from its top left corner, each with where it ends. */
export async function pdfItems(file: Uint8Array): Promise<{ text: string; x: number; y: number; end: number }[]> {
  hideAdded();
  const page = await (await getDocumentProxy(new Uint8Array(file))).getPage(1);
  const [, , , height = 0] = page.view;
  const { items } = await page.getTextContent();
  return items.flatMap((item) => {
    if (!("str" in item) || item.str.trim() === "") return [];
    const [, , , , x = 0, y = 0]: number[] = item.transform;
    return [{ text: item.str, x, y: height - y, end: x + item.width }];
  });
}

/** pdf.js refuses to work beside an enumerable property of all arrays, and another package of the tests adds one. */
function hideAdded(): void {
  for (const name of Object.keys(Array.prototype)) Object.defineProperty(Array.prototype, name, { enumerable: false });
}
