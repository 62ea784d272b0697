/** What is sent to whom: one piece of bytes for all streams whose readers see the same of the changes. */
import type { SeenBy } from "./audience.ts";
import { type ChangeStream, eventBytes } from "./stream.ts";

/** A change, and who learns of it. */
export interface Told {
  kind: string;
  id: string;
  revision: string;
  seenBy: SeenBy;
}

export interface Piece {
  bytes: Uint8Array<ArrayBuffer>;
  /** The reader's position after it. */
  revision: string;
}

/**
 * Returns the piece of each stream, without those whose readers see nothing of the changes. What all members with the same permissions
 * see is found once for them, since there are few sets of permissions (`permissionsOf`): each member is asked about only for the rest.
 */
export function piecesOf<Stream extends Pick<ChangeStream, "reader">>(
  changes: readonly Told[],
  streams: readonly Stream[],
): Map<Stream, Piece> {
  const pieces = new Map<Stream, Piece>();
  for (const [permissions, members] of Map.groupBy(streams, ({ reader }) => reader.permissions)) {
    const sights = changes.map((change) => change.seenBy(permissions));
    const rest = sights.flatMap((sees, at) => (sees === "all" ? [] : { sees, at }));
    const known = new Map<string, Piece | undefined>();
    for (const stream of members) {
      const own = rest.flatMap(({ sees, at }) => (sees(stream.reader) ? at : []));
      const key = own.join();
      if (!known.has(key)) {
        const seen = changes.filter((_, at) => sights[at] === "all" || own.includes(at));
        known.set(key, pieceOf(seen));
      }
      const piece = known.get(key);
      if (piece) pieces.set(stream, piece);
    }
  }
  return pieces;
}

function pieceOf(changes: readonly Told[]): Piece | undefined {
  const end = changes.at(-1)?.revision;
  if (end === undefined) return undefined;
  const events = changes.map(({ kind, id, revision }) => eventBytes("change", { kind, id, revision }, revision));
  return { bytes: Buffer.concat(events), revision: end };
}
