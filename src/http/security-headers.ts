/** The security headers of every response. */
export function securityHeaders(publicUrl: string): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    ...(publicUrl.startsWith("https:") ? { "strict-transport-security": "max-age=31536000" } : {}),
  };
}
