import { encode } from "uqr";
import type { Document } from "./open-document.ts";

/** Draws a QR code of squares, which is sharp at any size. The page around it is its quiet zone. */
export function drawCode(
  document: Document,
  text: string,
  { x, y, size }: { x: number; y: number; size: number },
): void {
  const { data } = encode(text, { ecc: "M", border: 0 });
  const square = size / data.length;
  document.fillColor("#000000");
  for (const [row, squares] of data.entries())
    for (const [column, isDark] of squares.entries())
      if (isDark) document.rect(x + column * square, y + row * square, square, square);
  document.fill();
}
