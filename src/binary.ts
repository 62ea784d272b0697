/** Entry point of the executable: unpacks its native libraries, and is `main.ts`. Explains why they can't be loaded. */
import process from "node:process";
import { librariesBelow, unpackLibraries } from "./runtime/native-libraries.ts";

const elsewhere =
  `They are unpacked into ${librariesBelow} at the start. If that directory is full, not writable or mounted noexec, ` +
  "set BUN_TMPDIR to another directory.";

if (await unpacked()) await main();

function unpacked(): Promise<boolean> {
  return unpackLibraries().then(
    () => true,
    (error) => explain(error, elsewhere),
  );
}

async function main(): Promise<void> {
  try {
    await import("./main.ts");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_DLOPEN_FAILED")) throw error;
    // A message that starts with a path is about an unpacked library. Any other message names a missing system library.
    explain(error, error.message.startsWith("/") ? elsewhere : "Install this library on the system.");
  }
}

function explain({ message }: Error, advice: string): false {
  process.stderr.write(`Windsock can't load its native libraries: ${message}.\n${advice}\n`);
  process.exitCode = 1;
  return false;
}
