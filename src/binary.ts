/** Entry point of the executable: `main.ts`, with an explanation when native libraries can't be loaded. */
import { tmpdir } from "node:os";
import process from "node:process";

try {
  await import("./main.ts");
} catch (error) {
  if (!(error instanceof Error && "code" in error && error.code === "ERR_DLOPEN_FAILED")) throw error;
  // A message that starts with a path is about an unpacked library. Any other message names a missing system library.
  const advice = error.message.startsWith("/")
    ? `They are unpacked into ${process.env.BUN_TMPDIR ?? tmpdir()} at the start. If that directory is mounted noexec or ` +
      "is not writable, set BUN_TMPDIR to another directory."
    : "Install this library on the system.";
  process.stderr.write(`Windsock can't load its native libraries: ${error.message}.\n${advice}\n`);
  process.exitCode = 1;
}
