import xxhash from "xxhash-wasm";

const { h64Raw } = await xxhash();

/**
 * Returns a 64-bit hash (XXH64) as 16 hexadecimal digits, which tells versions of a body apart in a quarter of SHA-256's
 * time. An `ETag` needs no cryptographic hash: a collision only shows a client that revalidates its own older copy. Never
 * use it for secrets or to detect tampering.
 */
export const contentHash = (content: string | Uint8Array): string =>
  h64Raw(typeof content === "string" ? Buffer.from(content) : content)
    .toString(16)
    .padStart(16, "0");
