/** What the planning asks the modules above. */
import { question } from "../../storage/occasions.ts";

/** Decimal degrees, north and east positive, as the API writes them. */
export interface HomePosition {
  latitude: string;
  longitude: string;
}

export const homePosition = question<{ orgId: string }, HomePosition | null>("where is the school?", ["directory"]);
