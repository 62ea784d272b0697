import type { IssueCode, IssueParams } from "../../core/issues.ts";

/** A sentence for each code, with its values. A code that is missing fails the compiler. */
export type IssueTexts = { [C in IssueCode]: string | ((params: IssueParams<C>) => string) };
