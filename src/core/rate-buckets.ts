/** The size of a bucket: `limit` attempts at once, which leak out in the window. */
export interface BucketSize {
  limit: number;
  windowSeconds: number;
}

/** Attempts that several processes count together: a limit for each of them would be none. */
export interface RateBuckets {
  /** Counts an attempt, if there is room. @returns how full the bucket is then, in attempts */
  take(key: string, size: BucketSize, now: Date): Promise<{ level: number; allowed: boolean }>;
  /** Empties a bucket. */
  forget(key: string): Promise<void>;
}
