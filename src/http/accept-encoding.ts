/**
 * Returns whether a client prefers gzip (`Accept-Encoding`, RFC 9110, 12.5.3). Without the header any coding is allowed, but
 * clients that can't decompress do not send the header either.
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

/** Returns 1 without a `q`, and 0 for an invalid one. */
function weightOf(parameters: readonly string[]): number {
  const text = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  if (text === undefined) return 1;
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
