/**
 * Limits the structure of JSON text before it is parsed: 87,000 fields fit into 1 MiB, and to parse and validate them would
 * stop every other request for half a second. Malformed text passes; `JSON.parse` rejects it.
 */

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

export interface Extent {
  /** Fields and list items, at all depths. An empty object or list counts as one. */
  entries: number;
  depth: number;
}

/** Returns what UTF-8 text has too much of. Stops reading there. */
export function excessOf(text: Uint8Array, most: Extent): keyof Extent | undefined {
  let [entries, depth] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_OBJECT:
      case OPEN_LIST:
        depth++;
        entries++;
        if (depth > most.depth) return "depth";
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        depth--;
        break;
      case COMMA:
        entries++;
    }
    if (entries > most.entries) return "entries";
  }
  return undefined;
}

/** Returns the position of the closing quote, or the end of the text. */
function endOfString(text: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at;
}
