/** Fits text into the cells of a table. */

type Measure = (text: string) => number;

/** Breaks text into lines of a width, at spaces and after hyphens where possible, and cuts what does not fit into `most` lines. */
export function linesOf(text: string, width: number, most: number, measure: Measure): string[] {
  const lines: string[] = [];
  // Longer text never fits, and measuring takes time.
  let rest = text
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 200 * most);
  while (rest !== "" && lines.length < most) {
    if (measure(rest) <= width) return [...lines, rest];
    const isLast = lines.length === most - 1;
    const longest = longestStart(rest, width - (isLast ? measure("…") : 0), measure);
    const gap = Math.max(rest.lastIndexOf(" ", longest), rest.lastIndexOf("-", longest - 1) + 1);
    const end = !isLast && gap > 0 ? gap : longest;
    lines.push(isLast ? `${rest.slice(0, end).trimEnd()}…` : rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return lines;
}

/** Returns how much of the text fits: at least one character, and whole ones. */
function longestStart(text: string, width: number, measure: Measure): number {
  let [low, high] = [1, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(text.slice(0, middle)) <= width) low = middle;
    else high = middle - 1;
  }
  return /[\ud800-\udbff]/.test(text.charAt(low - 1)) ? low + 1 : low;
}
