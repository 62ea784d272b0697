/**
 * Whether a client prefers gzip, by its `Accept-Encoding` (RFC 9110, 12.5.3). Without the header it may take any coding,
 * but clients that can't decompress send none either.
 */
export function prefersGzip(header: string | null): boolean {
  if (header === null) return false;
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(",")) {
    const [coding = "", ...parameters] = item.split(";").map((part) => part.trim());
    weights.set(coding, weightOf(parameters));
  }
  const gzip = weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0;
  return gzip > 0 && gzip >= (weights.get("identity") ?? 0);
}

/** 1 without a `q`; 0 for one that is not a number: what can't be read is not asked for. */
function weightOf(parameters: readonly string[]): number {
  const text = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  if (text === undefined) return 1;
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
