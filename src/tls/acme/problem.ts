/** Characters of an authority's words. */
const longestDetail = 500;

/** The authority refused a request, or has found that an order can't be fulfilled. Its words are for the operator. */
export class AcmeProblem extends Error {
  override readonly name = "AcmeProblem";
  /** Milliseconds after which it may be asked again, if it said so. */
  readonly retryAfter: number | undefined;
  readonly type: string;

  constructor(type: string, detail: string, retryAfter?: number) {
    super(`${detail.slice(0, longestDetail)} (${type})`);
    this.type = type;
    this.retryAfter = retryAfter;
  }
}
