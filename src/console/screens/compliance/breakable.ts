/** Where long words may be parted in narrow columns: few browsers have the rules of every language. */
import { complianceText } from "./words.ts";

/** Returns a name with soft hyphens: only to be seen, since what is copied or searched has none. */
export const breakable = (name: string): string =>
  complianceText().parted.reduce(
    (text, parted) => text.replaceAll(parted.replaceAll("|", ""), parted.replaceAll("|", "\u00AD")),
    name,
  );
