/** Where the executable begins. It differs from `main.ts` in what it says when its libraries can't be loaded. */
import { tmpdir } from "node:os";
import process from "node:process";

try {
  await import("./main.ts");
} catch (error) {
  if (!(error instanceof Error && "code" in error && error.code === "ERR_DLOPEN_FAILED")) throw error;
  // A path is that of the unpacked library itself, and anything else the name of one that the system should have.
  const advice = error.message.startsWith("/")
    ? `They are unpacked into ${process.env.BUN_TMPDIR ?? tmpdir()} at the start. If it is mounted noexec, or can't be ` +
      "written to, set BUN_TMPDIR to a directory that is not, and can."
    : "The system lacks that one.";
  process.stderr.write(`Windsock can't load its native libraries: ${error.message}.\n${advice}\n`);
  process.exitCode = 1;
}
