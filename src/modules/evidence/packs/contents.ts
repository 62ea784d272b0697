/** What goes into a pack. */
import type { LegalDate } from "../../../core/dates.ts";
import type { Manifest } from "../format/manifest.ts";
import type { Content } from "./parts.ts";

export type Figures =
  | { type: "pilot_portable"; flights: number; approved_minutes: number; imported_minutes: number }
  | { type: "compliance_pack"; people: number; aircraft: number; grounded: number; lacking: number; defects: number };

/** What is known about a pack when all its parts were made. */
export interface Summary {
  period: { from: LegalDate | null; to: LegalDate | null };
  /** Lines of the page for people. */
  figures: Figures;
}

export interface Contents {
  subject: Manifest["subject"];
  /** Makes the parts one after the other, each when it is read. */
  parts(): Iterable<Content> | AsyncIterable<Content>;
  /** Call it after the last part was read. */
  summary(): Summary;
}
