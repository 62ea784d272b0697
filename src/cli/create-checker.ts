import { checkProcessArgument, ownProgram } from "../runtime/own-program.ts";
import { checkerInProcesses } from "../storage/check/check-processes.ts";
import type { Checker } from "../storage/check/checker.ts";

/** Returns a checker that starts this program again (`check-process.ts`). */
export const createChecker = (): Checker => checkerInProcesses(ownProgram(checkProcessArgument));
