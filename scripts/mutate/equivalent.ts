/**
 * Faults that make no difference, and why: `mutate.ts` does not plant them. One that is no longer here although its line is has been
 * noticed by a test.
 */
const border = "The box is rounded up: what lies on its border is outside of the circle.";

const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "src/modules/directory/search/near.ts": {
    "if (north >= 90e6 || south <= -90e6) return isBetween;": border,
    "if (west < -180e6)": border,
    "if (east > 180e6)": border,
    "if (angle >= Math.PI)": "No radius of whole kilometres is exactly half of the earth's circumference.",
    "angle >= Math.PI / 2 ?": "No radius of whole kilometres is exactly a quarter of the earth's circumference.",
  },
  "src/modules/directory/search/intersect.ts": {
    "if (filters.length < 2)": "Of two filters the order is another, which takes longer and finds the same.",
  },
  "src/modules/clearance/facts/flown.queries.ts": {
    "mayNeedLapl.length > 0": "More flights are read, and the rules count those of their own period.",
  },
  "src/modules/accounts/sessions/sessions.queries.ts": {
    "gt(sessions.rotated_at, seenSince(now))": "Such a session ends at this moment by its `idle_until`, too.",
  },
  "src/modules/accounts/email/email-tokens.ts": {
    "gt(emailTokens.expires_at, tx.now),": "Sets the time that it has.",
  },
};

/** Returns why a fault of a boundary makes no difference; undefined if it does. */
export function whyEquivalent(file: string, { kind, line }: { kind: string; line: string }): string | undefined {
  if (kind !== "boundary") return undefined;
  return Object.entries(reasons[file] ?? {}).find(([code]) => line.includes(code))?.[1];
}
