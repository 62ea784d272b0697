import { invalid } from "../../../core/errors.ts";
import type { EndpointId } from "../../../core/ids.ts";
import { type CustomHeaders, mask, openHeaders, sealHeaders } from "../../../events/custom-headers.ts";

interface HeaderChange {
  given: CustomHeaders;
  /** The stored headers, encrypted. */
  before: string | null;
}

/**
 * Returns the columns of an endpoint's headers. The value `***` keeps the stored value, so that a client can read an
 * endpoint, change a field and send it back.
 *
 * @throws VALIDATION_ERROR a masked header has no stored value
 */
export function sealedHeaders(dataKey: Buffer, id: EndpointId, { given, before }: HeaderChange) {
  const header_names = Object.keys(given);
  if (header_names.length === 0) return { header_names: null, headers: null };
  const stored = new Map(
    before === null
      ? []
      : Object.entries(openHeaders(dataKey, id, before)).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const headers = Object.entries(given).map(([name, value]) => {
    const kept = value === mask ? stored.get(name.toLowerCase()) : value;
    if (kept !== undefined) return [name, kept];
    throw invalid({
      path: `headers.${name}`,
      declared: "headers",
      code: "unknown",
      message: `${mask} keeps the stored value, but there is none.`,
    });
  });
  return { header_names, headers: sealHeaders(dataKey, id, Object.fromEntries(headers)) };
}
