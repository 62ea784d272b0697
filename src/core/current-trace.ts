/**
 * The span on whose behalf code runs: a request or a run of a job. Events take it from here, however many verbs, intents and
 * postings are between. It is not for log lines: a timer that a request starts, such as the dispatcher's, runs on the request's
 * behalf, too.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Trace } from "./trace.ts";

const current = new AsyncLocalStorage<Trace>();

export const onBehalfOf = <Result>(trace: Trace, work: () => Result): Result => current.run(trace, work);

export const currentTrace = (): Trace | undefined => current.getStore();
