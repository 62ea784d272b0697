/**
 * Which requests the log has, if the operator wants a part of them: those that failed or were slow always, of the others a
 * sample by the trace, so that the requests of one trace are logged together or not at all.
 */
import { seconds } from "../core/clock.ts";

/** Milliseconds above which a request is logged always. */
const slow = seconds(1);

interface Ended {
  /** 32 hex digits. */
  lot: string;
  status: number;
  milliseconds: number;
}

/**
 * @param rate the share of requests that is logged, from 0 to 1
 * @returns the fields that the line has besides, or undefined for no line. A line with a rate stands for `1 / sample_rate`
 */
export function logSample(rate: number): (ended: Ended) => { sample_rate?: number } | undefined {
  if (rate === 1) return () => ({});
  return ({ lot, status, milliseconds }) => {
    if (status >= 400 || milliseconds > slow) return {};
    // 13 digits are the 52 bits that a number holds exactly, and random in every trace's id.
    return Number.parseInt(lot.slice(-13), 16) / 2 ** 52 < rate ? { sample_rate: rate } : undefined;
  };
}
