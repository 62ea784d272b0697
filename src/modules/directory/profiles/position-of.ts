import type { Reader } from "../../../storage/store.ts";
import type { HomePosition } from "../../planning/planning.occasions.ts";
import { profileRow } from "./profile-row.queries.ts";

/** Returns where a school is, published or not; null if its profile has no coordinates. */
export async function positionOf(reader: Reader<"tenant">, orgId: string): Promise<HomePosition | null> {
  const row = await profileRow(reader, { type: "schools", id: orgId });
  if (row === undefined || row.latitude === null || row.longitude === null) return null;
  return { latitude: inDegrees(row.latitude), longitude: inDegrees(row.longitude) };
}

const inDegrees = (millionths: number): string => (millionths / 1e6).toFixed(6);
