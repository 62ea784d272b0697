/** The program under test, which runs tests, too. It starts itself again for its other processes, as Windsock does. */
import process from "node:process";

const [, , argument, ...args] = process.argv;
if (argument === "run-tests") await (await import("./run-tests.ts")).runTests(args);
else await import("../../src/binary.ts");
