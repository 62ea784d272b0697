/** How far some work is. */
export interface Progress {
  done: number;
  total: number;
  /** Of files that it copies. */
  bytes?: { done: number; total: number } | undefined;
  /** What it does now, for an operator. */
  step?: string | undefined;
}

export type OnProgress = (progress: Progress) => void;
