/** Verifies a delivery as an integrator would: by the signing secret, the headers and the raw body. */
import type { IncomingHttpHeaders } from "node:http";
import { minutes } from "../core/clock.ts";
import { equal, hmac } from "../core/crypto.ts";
import { secretPrefix } from "../events/signing.ts";

/** The age of a timestamp that Standard Webhooks accepts. */
const tolerance = minutes(5);

/** Returns whether both kinds of signature are valid with the secret. Compares in constant time. */
export function isGenuine(body: string, headers: IncomingHttpHeaders, secret: string): boolean {
  const text = (name: string) => String(headers[name] ?? "");
  const own = `sha256=${hmac(Buffer.from(secret), body).toString("hex")}`;
  const given = ["x-svc-webhook-signature", "x-svc-webhook-signature-secondary"].map(text);

  const timestamp = text("webhook-timestamp");
  const isRecent = Math.abs(Date.now() - Number(timestamp) * 1000) < tolerance;
  const key = Buffer.from(secret.slice(secretPrefix.length), "base64");
  const standard = `v1,${hmac(key, `${text("webhook-id")}.${timestamp}.${body}`).toString("base64")}`;
  const givenStandard = text("webhook-signature").split(" ");
  return isRecent && hasEqual(given, own) && hasEqual(givenStandard, standard);
}

const hasEqual = (given: readonly string[], expected: string): boolean =>
  given.some((one) => equal(Buffer.from(one), Buffer.from(expected)));
