/** Content negotiation: what a client prefers (RFC 9110, 12.5). */

/**
 * Returns whether a client prefers gzip (`Accept-Encoding`, RFC 9110, 12.5.3). Without the header any coding is allowed, but
 * clients that can't decompress do not send the header either.
 */
export function prefersGzip(header: string | null): boolean {
  if (header === null) return false;
  const weights = weightsOf(header);
  const gzip = weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0;
  return gzip > 0 && gzip >= (weights.get("identity") ?? 0);
}

/** Returns whether a client prefers CSV to JSON (`Accept`, RFC 9110, 12.5.1). `*` stands for JSON. */
export function prefersCsv(header: string | null): boolean {
  if (header === null || !/text\//i.test(header)) return false;
  const weights = weightsOf(header);
  const csv = weights.get("text/csv") ?? weights.get("text/*") ?? 0;
  const json = weights.get("application/json") ?? weights.get("application/*") ?? weights.get("*/*") ?? 0;
  return csv > 0 && csv >= json;
}

/** Returns whether a client prefers PDF to JSON and CSV. Only the type itself asks for it. */
export function prefersPdf(header: string | null): boolean {
  if (header === null || !/\/pdf/i.test(header)) return false;
  const weights = weightsOf(header);
  const pdf = weights.get("application/pdf") ?? 0;
  const json = weights.get("application/json") ?? weights.get("*/*") ?? 0;
  return pdf > 0 && pdf >= Math.max(json, weights.get("text/csv") ?? 0);
}

/** Returns whether a client prefers HTML to JSON, as browsers do. Only the type itself asks for it. */
export function prefersHtml(header: string | null): boolean {
  if (header === null || !/\/html/i.test(header)) return false;
  const weights = weightsOf(header);
  const html = weights.get("text/html") ?? 0;
  return html > 0 && html >= (weights.get("application/json") ?? 0);
}

function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    weights.set(name, weightOf(parameters));
  }
  return weights;
}

/** Returns 1 without a `q`, and 0 for an invalid one. */
function weightOf(parameters: readonly string[]): number {
  const text = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  if (text === undefined) return 1;
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
