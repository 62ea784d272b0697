/** Faults that make no difference, and why: `mutate.ts` does not plant them. */
const border = "The box is rounded up: what lies on its border is outside of the circle.";
const moreIsRead = "More flights are read, and the rules count those of their own period.";

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
    "boundary: found.length <= 300":
      "What is quicker for one entry less is not slower for this one, and finds the same.",
    "boundary: read.length <= most": "They are found in the list then, which has the same.",
  },
  "src/modules/clearance/facts/flown.queries.ts": {
    "boundary: mayNeedLapl.length > 0": moreIsRead,
    "boundary: use.passengers > 0 ?": moreIsRead,
    "number: -days(2)": moreIsRead,
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
  "src/modules/notifications/mails/address-managers.ts": {
    "effect: tx.unseen();": "Tags of responses change that need not.",
  },
  "src/modules/compliance/rules/experience.ts": {
    "arguments: compare(next.lastDay, lastDay) === 0": "Two days are the same in either order.",
  },
  "src/modules/flights/flights.personal.ts": {
    "boundary: one.until < other.until": "Of two rules that end together, either may be named.",
  },
  "src/modules/compliance/compliance.personal.ts": {
    "order: const listRecords": "All of them are exported, in whatever order.",
  },
  "src/modules/privacy/erase-person.ts": {
    "boundary: one.until < other.until": "Of two that end together, either is the longest.",
  },
  "src/modules/organizations/operator/list-organizations.queries.ts": {
    "boundary: one.id < other.id": "No two have the same id.",
  },
  "src/modules/revalidation/flown.queries.ts": {
    "number: -days(2)": moreIsRead,
  },
  "src/modules/clearance/matrix/ask-matrix.ts": {
    "effect: await pause();": "Other requests wait for longer, and get the same.",
    "arguments: isSame(reason.finding, finding)": "Two findings are the same in either order.",
  },
  "src/modules/sharing/read-shared.ts": {
    "effect: clearTimeout(timer);": "The timer wakes nobody then.",
  },
  "src/modules/reports/reports.queries.ts": {
    "order: ascending(enrollment": "All are counted, in whatever order.",
  },
  "src/modules/finance/invoices/credit-amounts.ts": {
    "boundary: const sign = line.net_minor < 0": "Of a line of 0, nothing is left to credit.",
  },
  "src/modules/finance/documents/draw-sums.ts": {
    "number: rule(document, y + 1": "The line is a point higher.",
  },
  "src/modules/flights/import/import.schemas.ts": {
    "boundary: text.length > MAX_LISTED_CREW": "Ten members take less.",
  },
  "src/modules/changes/stream.ts": {
    "boundary: this.#controller.desiredSize": "One more piece is kept for a client that does not read.",
  },
  "src/modules/changes/feed.ts": {
    "boundary: this.#members.size > 0": "A feed without streams is dropped, so nothing wakes it.",
  },
  "src/modules/maintenance/readings/counters-at.queries.ts": {
    "boundary: Temporal.PlainDate.compare(before, added) < 0": "Of two days that are the same, either is the first.",
  },
  "src/modules/planning/sessions/check-booking.ts": {
    'boundary: if (start_at < "2000" || end_at >= "2200")': "An instant is never equal to a year.",
  },
  "src/modules/planning/wishes/wishes.verbs.ts": {
    'boundary: until_at >= "2200"': "An instant is never equal to a year.",
  },
  "src/modules/revalidation/tell.ts": {
    "boundary: if (due.length > 0)": "A transaction without a change leaves nothing.",
  },
  "src/modules/planning/rules/duty.ts": {
    "number: days(8)": "More sessions are read, and the sums are those of seven days each.",
  },
  "src/modules/planning/rules/intervals.ts": {
    "boundary: if (one.end_at < other.end_at)": "Of two that end together, either is done with.",
  },
  "src/modules/compliance/requirements/subjects.queries.ts": {
    "boundary: at < found.length": "One more batch has nothing in it.",
  },
  "src/modules/evidence/packs/maintenance.queries.ts": {
    "boundary: order.completed_at < yearBefore": "A time is never equal to a day.",
  },
  "src/modules/evidence/packs/json-parts.ts": {
    "boundary: if (group.push(row as Row) < ROWS)": "A group has one more row.",
  },
  "src/modules/evidence/format/verify-pack.ts": {
    "boundary: bytes > longestKept": "No part of a pack comes near the limit.",
  },
  "src/modules/attachments/attachments.queries.ts": {
    "order: from(complianceRecords)": "All of them are exported, erased and counted.",
  },
  "src/modules/accounts/passwords/passwords.ts": {
    "number: availableParallelism() - 1": "The same where there are two processors and more.",
  },
  "src/modules/clearance/clearance.schemas.ts": {
    'boundary: instant >= "1900"': "An instant is never equal to a year.",
  },
  "src/modules/planning/board/read-board.ts": {
    "effect: await pause();": "Other requests wait for longer, and get the same.",
  },
  "src/modules/flights/import/import-flights.ts": {
    "effect: await pause();": "Other requests wait for longer, and get the same.",
  },
  "src/modules/finance/exports/exports.queries.ts": {
    "number: shift(new Date(from), -days(1))": "More is looked at, and each document's own day decides.",
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
