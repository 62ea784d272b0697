/** `windsock verify`: checks an evidence pack on this machine, without a server. */
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { messageOf } from "../core/system-error.ts";
import { hasThumbprint, isThumbprint, keysIn, type Trust } from "../modules/evidence/format/trusted-key.ts";
import { PackFault, type VerifiedPack, verifyPack } from "../modules/evidence/format/verify-pack.ts";
import { command } from "./strict-command.ts";

export const verify = command(
  { name: "verify", description: "Check that an evidence pack is unchanged since it was signed" },
  {
    args: {
      file: { type: "positional", description: "The downloaded pack", required: true },
      key: {
        type: "string",
        description:
          "The issuer's key: its thumbprint, or a file with the public key or keys. Without it the issuer is not checked, and the exit status is 2",
        valueHint: "key",
      },
    },
    run: ({ file, key }) => verifyHere(file, key),
  },
);

async function verifyHere(file: string, key: string | undefined): Promise<void> {
  const trusts = key === undefined ? undefined : await trusting(key);
  process.stdout.write(described(await checked(file, trusts), trusts !== undefined));
  if (trusts === undefined) process.exitCode = issuerNotChecked;
}

/** The exit status: a script must not take an unchanged pack for one of the issuer. */
const issuerNotChecked = 2;

/** @throws an error for the user: the file can't be read, or is not as it was signed */
async function checked(file: string, trusts: Trust | undefined): Promise<VerifiedPack> {
  try {
    return await verifyPack(createReadStream(file), { trusts });
  } catch (error) {
    if (error instanceof PackFault) throw new Error(`${file} is NOT valid: ${error.message}`);
    throw new Error(`${file} can't be read: ${messageOf(error, file)}`);
  }
}

async function trusting(key: string): Promise<Trust> {
  if (isThumbprint(key)) return hasThumbprint(key);
  try {
    return keysIn(await readFile(key, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw new Error(`--key: ${key} is neither the thumbprint of a key nor a file.`);
    throw new Error(`--key: ${messageOf(error, key)}`);
  }
}

function described({ manifest, sha256 }: VerifiedPack, isTrusted: boolean): string {
  const { issuer, subject, period, key } = manifest;
  const lines = [
    ["Unchanged since it was signed."],
    ["Pack", `${manifest.id}, ${manifest.type}`],
    ["Issuer", `${issuer.name}, ${issuer.id}`],
    ["Subject", `${subject.name}, ${subject.id}`],
    ["Period", `${period.from ?? "-"} to ${period.to ?? "-"}`],
    ["Issued", manifest.issued_at],
    ["SHA-256", sha256],
    ["Key", `${key.thumbprint}${isTrusted ? ", as given" : ""}`],
    ...(isTrusted
      ? []
      : [
          ["The issuer is NOT checked: compare the key with the issuer's own, or give it with --key:"],
          [issuer.keys_url],
        ]),
  ];
  return lines
    .map(([name = "", value]) => (value === undefined ? name : `${`${name}:`.padEnd(9)}${value}`))
    .map((line) => `${printable(line)}\n`)
    .join("");
}

/** What anyone wrote into a pack must neither begin another line nor control the terminal. */
const printable = (text: string) =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);
