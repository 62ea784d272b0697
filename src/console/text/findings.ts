import type { FindingCode, FindingParams } from "../../core/finding.ts";

export interface Sentence {
  /** What is wrong. */
  title: string;
  /** What it means, and what to do. */
  remedy: string;
  /** What the server says of the cause, in English. */
  said?: string;
  /** What to type for that. */
  command?: string;
}

/** The sentences of each case, with its values. A case that is missing fails the compiler. */
export type FindingTexts = {
  [C in FindingCode]: (params: FindingParams<C>, format: { when: (at: string) => string }) => Sentence;
};
