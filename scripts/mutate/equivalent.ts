/** Faults that make no difference, and why: `mutate.ts` does not plant them. */
const border = "The box is rounded up: what lies on its border is outside of the circle.";

/** By file, kind and a part of the line. */
const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "src/modules/directory/search/near.ts": {
    "boundary: if (north >= 90e6 || south <= -90e6)": border,
    "boundary: if (west < -180e6)": border,
    "boundary: if (east > 180e6)": border,
    "boundary: if (angle >= Math.PI)": "No radius of whole kilometres is exactly half of the earth's circumference.",
    "boundary: angle >= Math.PI / 2 ?": "No radius of whole kilometres is exactly a quarter of it.",
  },
  "src/modules/directory/search/intersect.ts": {
    "boundary: if (filters.length < 2)": "Of two filters the order is another, which takes longer and finds the same.",
  },
  "src/modules/clearance/facts/flown.queries.ts": {
    "boundary: mayNeedLapl.length > 0": "More flights are read, and the rules count those of their own period.",
  },
  "src/modules/accounts/sessions/sessions.queries.ts": {
    "boundary: gt(sessions.rotated_at, seenSince(now))": "Such a session ends at this moment by its `idle_until`, too.",
  },
  "src/modules/accounts/email/email-tokens.ts": {
    "boundary: gt(emailTokens.expires_at, tx.now),": "Sets the time that it has.",
  },
  "src/modules/integrations/integrations.jobs.ts": {
    "number: days(eventRetentionDays) + 1": "The job is due a millisecond earlier, and finds nothing until then.",
  },
  "src/modules/notifications/mails/send-mails.ts": {
    "effect: tx.unseen();": "Tags of responses change that need not.",
  },
  "src/modules/rules/who-sees-findings.ts": {
    'condition: permits(actor, "compliance:read")': "Each role has both permissions or none.",
  },
};

/** Returns why a fault makes no difference; undefined if it does. */
export function whyEquivalent(file: string, { kind, line }: { kind: string; line: string }): string | undefined {
  const found = Object.entries(reasons[file] ?? {}).find(([key]) => {
    const [wanted = "", ...code] = key.split(": ");
    return wanted === kind && line.includes(code.join(": "));
  });
  return found?.[1];
}
