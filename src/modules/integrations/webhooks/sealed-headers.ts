import { invalid } from "../../../core/errors.ts";
import type { EndpointId } from "../../../core/ids.ts";
import { type CustomHeaders, mask, openHeaders, sealHeaders } from "../../../events/custom-headers.ts";

interface HeaderChange {
  given: CustomHeaders;
  /** What was sealed until now. */
  before: string | null;
}

/**
 * The columns of an endpoint's own headers. A value that is sent back as it is shown, as `***`, stays what it is: whoever
 * reads an endpoint, changes something and writes it back does not know more.
 *
 * @throws VALIDATION_ERROR there is no value to keep
 */
export function sealedHeaders(dataKey: Buffer, id: EndpointId, { given, before }: HeaderChange) {
  const headerNames = Object.keys(given);
  if (headerNames.length === 0) return { header_names: null, headers: null };
  const kept = new Map(
    before === null
      ? []
      : Object.entries(openHeaders(dataKey, id, before)).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const headers = Object.entries(given).map(([name, value]) => {
    const sent = value === mask ? kept.get(name.toLowerCase()) : value;
    if (sent !== undefined) return [name, sent];
    throw invalid({ path: `headers.${name}`, code: "unknown", message: `${mask} keeps a value, and there is none.` });
  });
  return { header_names: headerNames, headers: sealHeaders(dataKey, id, Object.fromEntries(headers)) };
}
