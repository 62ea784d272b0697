/**
 * Refresh tokens: base64url of the session's id (16 bytes), the generation (4, big-endian) and an HMAC-SHA256 (32) over
 * both. Tokens are not stored. The same generation always has the same token, so that a second tab, or a client that lost a
 * response, can get it again.
 */
import { equal, hmac } from "../../../core/crypto.ts";
import { isId, type SessionId } from "../../../core/ids.ts";

/** The content of a token. */
export interface RefreshRef {
  sessionId: SessionId;
  generation: number;
}

export interface RefreshTokens {
  issue(ref: RefreshRef): string;
  /** Returns the content of an authentic token. Only the session knows whether it is still valid. */
  read(token: string): RefreshRef | undefined;
}

const ID_BYTES = 16;
const BODY_BYTES = ID_BYTES + 4;
const TOKEN_CHARACTERS = 70;

/** @param key the installation's key for refresh tokens */
export function createRefreshTokens(key: Buffer): RefreshTokens {
  const sign = (body: Buffer) => hmac(key, body.toString("hex"));

  return {
    issue({ sessionId, generation }) {
      const body = Buffer.alloc(BODY_BYTES);
      body.write(sessionId.replaceAll("-", ""), "hex");
      body.writeUInt32BE(generation, ID_BYTES);
      return Buffer.concat([body, sign(body)]).toString("base64url");
    },

    read(token) {
      if (token.length !== TOKEN_CHARACTERS) return undefined;
      const bytes = Buffer.from(token, "base64url");
      // Base64 encodes the same bytes in several ways; only the canonical one is accepted.
      if (bytes.toString("base64url") !== token) return undefined;
      const body = bytes.subarray(0, BODY_BYTES);
      if (!equal(sign(body), bytes.subarray(BODY_BYTES))) return undefined;
      const sessionId = dashed(body.toString("hex", 0, ID_BYTES));
      return isId<"session">(sessionId) ? { sessionId, generation: body.readUInt32BE(ID_BYTES) } : undefined;
    },
  };
}

const dashed = (hex: string) =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
