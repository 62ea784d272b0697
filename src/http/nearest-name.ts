/** Returns the name that was probably meant: at most a third of its characters differ. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  let [nearest, fewest]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const name of names) {
    const most = Math.floor(Math.max(given.length, name.length) / 3);
    // Also keeps a long name from costing time.
    if (Math.abs(given.length - name.length) > most) continue;
    const edits = editsBetween(given, name);
    if (edits <= most && edits < fewest) [nearest, fewest] = [name, edits];
  }
  return nearest;
}

/** Counts the characters to insert, remove or replace (Levenshtein). */
function editsBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [row, character] of [...a].entries()) {
    const edits = [row + 1];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (character === b[column - 1] ? 0 : 1);
      edits.push(Math.min(replaced, (above[column] ?? 0) + 1, (edits[column - 1] ?? 0) + 1));
    }
    above = edits;
  }
  return above[b.length] ?? 0;
}
