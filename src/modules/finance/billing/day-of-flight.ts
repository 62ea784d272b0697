import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import type { Reader } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import type { FlightRow } from "../../flights/flights.queries.ts";

/**
 * Returns the day on which a flight is supplied: that of its on-block where the school is. A service is supplied when it is completed,
 * and the rate of VAT is that of this day (§ 27 (1) UStG; Art. 63 and 93 of Directive 2006/112/EC). A draft may lack the time.
 */
export async function dayOfFlight(
  reader: Reader<"tenant">,
  { off_block_at, on_block_at }: Pick<FlightRow, "off_block_at" | "on_block_at">,
): Promise<LegalDate | null> {
  const at = on_block_at ?? off_block_at;
  return at === null ? null : toLegalDate(await today(reader, at));
}
