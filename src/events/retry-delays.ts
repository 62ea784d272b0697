import { seconds } from "../core/clock.ts";

/** Delays between the end of a failed attempt and the next, as in the contract. After the last the delivery has failed. */
export const retryDelays = [1, 5, 25, 125].map(seconds);

export const longestRetryDelay = Math.max(...retryDelays);
