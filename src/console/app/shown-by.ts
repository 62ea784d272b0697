const money = (...names: readonly string[]) => names.map((name) => `finance_${name}`);

/**
 * Where a change shows: the beginnings of paths whose answers may be other ones after it. A record also changes what is made of it: an
 * approval moves the counters of the aircraft, completes a booking and raises a charge.
 */
const shownBy: Readonly<Record<string, readonly string[]>> = {
  flight: [
    ...["/flights", "/today", "/setup", "/people/", "/aircraft/", "/planning/sessions", "/training"],
    "/compliance/revalidations",
  ],
  aircraft: ["/aircraft", "/maintenance", "/flights", "/planning", "/today", "/setup"],
  defect: ["/aircraft", "/maintenance", "/today", "/planning/board"],
  maintenance_item: ["/maintenance", "/aircraft", "/today"],
  work_order: ["/maintenance", "/aircraft", "/today", "/planning/board"],
  attachment: ["/maintenance", "/compliance", "/aircraft/"],
  person: ["/people", "/flights", "/planning", "/training", "/compliance", "/finance", "/today", "/setup", "/members"],
  member: ["/members", "/people", "/invites"],
  invite: ["/invites", "/student-invites", "/members"],
  organization: [""],
  compliance_record: ["/compliance", "/today", "/aircraft", "/people/", "/planning/resources"],
  compliance_type: ["/compliance", "/today"],
  compliance_requirement: ["/compliance", "/today"],
  clearance_rule: ["/planning/board"],
  planning_session: ["/planning", "/today", "/flights/", "/maintenance/forecast"],
  planning_wish: ["/planning", "/today"],
  planning_room: ["/planning", "/today"],
  planning_hours: ["/planning"],
  planning_absence: ["/planning"],
  planning_settings: ["/planning"],
  directory_profile: ["/directory", "/planning/resources"],
  enrollment: ["/training", "/today", "/people/"],
  training_program: ["/training"],
  training_revision: ["/training"],
  training_signoff: ["/training", "/today"],
  ground_session: ["/training"],
  lesson_record: ["/training", "/today"],
  exam: ["/training"],
  logbook_opening_totals: ["/people/"],
  evidence_pack: ["/evidence-packs"],
  share_token: ["/share-tokens"],
  signing_key: ["/signing-keys"],
  webhook_endpoint: ["/integrations", "/today", "/setup"],
  ...Object.fromEntries(money("charge", "flight", "package").map((kind) => [kind, ["/today", "/people/"]])),
  ...Object.fromEntries(
    money("invoice", "payment").map((kind) => [kind, ["/today", "/people/", "/finance/invoices", "/finance/payments"]]),
  ),
  // What a flight will cost. Once it is approved, nobody asks that any more: so not after each charge.
  ...Object.fromEntries(money("customer", "rate", "settings").map((kind) => [kind, ["/finance", "/people/"]])),
};

/** What of no kind is left out: the clearance depends on all records, and the history is the log itself. */
const always = ["/clearance", "/audit-log"];

/** Returns the beginnings of paths below the organization. A kind that is not known here may show anywhere. */
export const pathsOf = (kind: string): readonly string[] => [...(shownBy[kind] ?? [""]), ...always];
