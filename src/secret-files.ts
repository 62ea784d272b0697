/** Secrets in files, as container managers and systemd pass them: `WINDSOCK_SMTP_URL_FILE` in place of `WINDSOCK_SMTP_URL`. */
import { readFileSync, statSync } from "node:fs";
import { messageOf } from "./core/system-error.ts";

type Variables = Readonly<Record<string, string | undefined>>;

interface SecretFiles {
  /** The variables, with the contents of the files in place of their paths. */
  set: Variables;
  /** They never contain a secret. */
  problems: string[];
  warnings: string[];
}

const suffix = "_FILE";

/** Returns the secret that a variable names a file of. */
const secretOf = (name: string, isSecret: (name: string) => boolean): string | undefined => {
  const base = name.slice(0, -suffix.length);
  return name.endsWith(suffix) && isSecret(base) ? base : undefined;
};

/** Reads each file once. @param isSecret whether a variable may be in a file */
export function readSecretFiles(set: Variables, isSecret: (name: string) => boolean): SecretFiles {
  const result: SecretFiles = { set: {}, problems: [], warnings: [] };
  const values: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(set)) {
    const secret = secretOf(name, isSecret);
    if (secret === undefined || value === undefined) values[name] ??= value;
    else if (set[secret] !== undefined) result.problems.push(`${secret} and ${name} are both set. Remove one of them.`);
    else {
      const { text, problem } = contentOf(value);
      values[secret] = text;
      if (problem !== undefined) result.problems.push(`${name}: ${problem}`);
      else if (isReadableByAll(value))
        result.warnings.push(`${name}: every account of this machine can read ${value}. Set its mode: chmod 600`);
    }
  }
  return { ...result, set: values };
}

/** Returns the text without the newline that editors and `echo` add at the end. */
function contentOf(path: string): { text?: string; problem?: string } {
  try {
    const text = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    return text === "" ? { problem: `${path} is empty.` } : { text };
  } catch (error) {
    return { problem: messageOf(error, path) };
  }
}

/** Windows has no such mode. */
const isReadableByAll = (path: string): boolean => process.platform !== "win32" && (statSync(path).mode & 0o004) !== 0;
