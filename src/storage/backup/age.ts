/** Encryption of backups, and of schools that move, in the format of age (age-encryption.org). The library is loaded only by who uses it. */
import { readFile } from "node:fs/promises";

/** Large files do not fit into memory. */
type Bytes = ReadableStream<Uint8Array>;

/** @throws Error the recipient is not valid */
export async function encrypted(plain: Bytes, recipient: string): Promise<Bytes> {
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter.encrypt(plain);
}

/**
 * @param identityFile as `age-keygen` writes it
 * @throws Error it has no identity, or none to which this was encrypted
 */
export async function decrypted(sealed: Bytes, identityFile: string): Promise<Bytes> {
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  const identities = identitiesIn(await readFile(identityFile, "utf8"));
  if (identities.length === 0) throw new Error(`${identityFile} has no identity of age (AGE-SECRET-KEY-…).`);
  for (const identity of identities) decrypter.addIdentity(identity);
  return decrypter.decrypt(sealed);
}

/** @param text as `age-keygen` writes it */
export const identitiesIn = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("AGE-SECRET-KEY-"));

/**
 * The cost of the key of a passphrase: 2^17, 128 MB and a second, as OWASP advises for scrypt. The default of age takes twice the
 * memory, which a small machine does not have.
 */
const usualCost = 17;

/** @param cost the logarithm of the cost of the key; tests take less */
export async function encryptedWith(plain: Bytes, passphrase: string, cost = usualCost): Promise<Bytes> {
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  encrypter.setScryptWorkFactor(cost);
  encrypter.setPassphrase(passphrase);
  return encrypter.encrypt(plain);
}

/** @throws Error the passphrase is another one */
export async function decryptedWith(sealed: Bytes, passphrase: string): Promise<Bytes> {
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  return decrypter.decrypt(sealed);
}
