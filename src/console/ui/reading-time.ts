/** Milliseconds that a message stays at least: time to read it, and time to take something back. */
const shortest = { message: 5000, action: 10_000 };
/** Milliseconds to notice a message, and to read a letter of it: several names take longer than a word. */
const pace = { begin: 2000, letter: 75 };

/** How long a message stays, in milliseconds. */
export const readingTime = (message: string, hasAction: boolean): number =>
  Math.max(hasAction ? shortest.action : shortest.message, pace.begin + message.length * pace.letter);
