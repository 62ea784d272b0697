/**
 * Codes of an authenticator. They come from `oathtool`, an independent implementation, where it is installed, and otherwise
 * from the library that is under test.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { generateSync } from "otplib";

const run = promisify(execFile);

const oathtool = async (secret: string, epoch: number) =>
  (await run("oathtool", ["--totp", "--base32", "--now", `@${epoch}`, secret])).stdout.trim();

/** The source of the codes. */
export const totpSource: "oathtool" | "otplib" = await oathtool("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", 59).then(
  () => "oathtool",
  () => "otplib",
);

/** Returns the code of a moment. @param secret base32 */
export const totpCode = async (secret: string, at: Date): Promise<string> => {
  const epoch = Math.floor(at.getTime() / 1000);
  return totpSource === "oathtool" ? oathtool(secret, epoch) : generateSync({ secret, epoch });
};
