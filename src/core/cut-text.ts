/** Returns the beginning of a text, cut between characters: half a surrogate pair is not valid Unicode. */
export const cutText = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
