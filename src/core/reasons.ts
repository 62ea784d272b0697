/** The codes of errors, and the reasons that tell the cases of one code apart: `error.code` and `error.reason`. */
export const errorCodes = [
  "BAD_REQUEST",
  "VALIDATION_ERROR",
  "UNAUTHORIZED",
  "FORBIDDEN",
  "STEP_UP_REQUIRED",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "CONFLICT",
  "GONE",
  "PRECONDITION_FAILED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "IDEMPOTENCY_KEY_REUSED",
  "RATE_LIMITED",
  "SERVER_ERROR",
  "BAD_GATEWAY",
  "TENANT_UNAVAILABLE",
  "UNAVAILABLE",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Names are stable. A new case gets a new name; the operations that respond with it declare it (`http/responses.ts`). */
export const reasons = {
  // Not permitted
  account_disabled: { code: "FORBIDDEN", means: "The account is disabled." },
  conflict_of_interest: {
    code: "FORBIDDEN",
    means: "The caller is or was a member of the organization that owns the listing. Another reviewer must decide.",
  },
  not_a_member: { code: "FORBIDDEN", means: "The account is not a member of this organization." },
  not_crew_member: { code: "FORBIDDEN", means: "The caller may submit only flights on which they are crew." },
  own_flight: {
    code: "FORBIDDEN",
    means: "The caller is or was named in the crew of this flight, and another member could approve it.",
  },
  own_organization: {
    code: "FORBIDDEN",
    means: "Members of the organization that published the opportunity can't apply for it.",
  },
  link_unconfirmed: {
    code: "FORBIDDEN",
    means:
      "The caller linked the person to their account themself. Another member must unlink it and link it again, before they act as the person.",
  },
  not_the_student: { code: "FORBIDDEN", means: "Only the student acknowledges a signoff or the record of a lesson." },
  own_training: {
    code: "FORBIDDEN",
    means:
      "Nobody records, signs off, voids, credits or completes their own training: that of a person whom their account is or ever was linked to.",
  },
  owner_required: { code: "FORBIDDEN", means: "Only an owner may add or remove owners." },
  not_own_session: {
    code: "FORBIDDEN",
    means: "The caller may book flights, lessons and ground sessions only for themselves, and change only their own.",
  },
  organization_suspended: {
    code: "FORBIDDEN",
    means:
      "The operator of the installation has suspended the organization. Until it is resumed, nothing of it is served.",
  },
  permission_missing: { code: "FORBIDDEN", means: "The caller's roles do not permit this." },
  scope_missing: { code: "FORBIDDEN", means: "The API key lacks the scope of this route." },
  sign_up_closed: {
    code: "FORBIDDEN",
    means:
      "The operator of the installation lets nobody sign up without an invite: `sign_up` in `GET /capabilities` says so before.",
  },
  step_up_required: {
    code: "STEP_UP_REQUIRED",
    means:
      "The caller has a second factor and has not shown it in the last 10 minutes. Show it with `POST /auth/mfa/step`, then retry.",
  },

  // A wrong credential other than the session's
  access_denied: { code: "UNAUTHORIZED", means: "The provider refused the sign-in." },
  account_exists: {
    code: "UNAUTHORIZED",
    means: "The e-mail address has an account that is not linked to the provider. Sign in to it, then link it.",
  },
  code_wrong: { code: "UNAUTHORIZED", means: "The code is wrong or was used before." },
  linked_account_disabled: { code: "UNAUTHORIZED", means: "The account of this identity is disabled." },
  linked_elsewhere: { code: "UNAUTHORIZED", means: "This identity is linked to another account." },
  password_wrong: { code: "UNAUTHORIZED", means: "The current password is wrong." },
  session_over: { code: "UNAUTHORIZED", means: "The session that began the sign-in has ended." },
  sign_in_over: { code: "UNAUTHORIZED", means: "The sign-in has expired or is finished. Sign in again." },
  unverified: { code: "UNAUTHORIZED", means: "The provider has not verified the e-mail address." },

  // The resource has another status or version than the request expects
  changed_meanwhile: { code: "CONFLICT", means: "Another request changed the resource. Read it again, then retry." },
  revision_changed: { code: "CONFLICT", means: "The flight or the listing is at another revision. Read it again." },
  wrong_status: { code: "CONFLICT", means: "The status of the resource does not allow this. Read it again." },

  // The request contradicts other records
  account_linked: { code: "CONFLICT", means: "The account is already linked to another person." },
  aircraft_archived: { code: "CONFLICT", means: "The aircraft is archived." },
  aircraft_has_flights: {
    code: "CONFLICT",
    means: "The aircraft has flights, so it can't become a simulator, or the simulator an aircraft.",
  },
  booking_limited: {
    code: "CONFLICT",
    means: "The organization lets its students book only within limits. The message says which one is exceeded.",
  },
  booking_conflicts: {
    code: "CONFLICT",
    means: "An aircraft, a person or a room is not free, or a rule that blocks is not met: see `conflicts`.",
  },
  room_archived: { code: "CONFLICT", means: "The room is archived." },
  room_name_taken: { code: "CONFLICT", means: "Another room has this name." },
  flight_on_record: {
    code: "CONFLICT",
    means:
      "A defect or a signoff names the flight, so it can't be removed. Submit the flight, or complete the session.",
  },
  sessions_planned: {
    code: "CONFLICT",
    means: "The person is in sessions that are not over. Complete or cancel them first.",
  },
  not_ready_for_test: {
    code: "CONFLICT",
    means: "Something is missing before the skill test. The message and the student's progress say what.",
  },
  training_recorded: { code: "CONFLICT", means: "Training is recorded before the day on which it is to begin." },
  training_incomplete: {
    code: "CONFLICT",
    means: "Something is missing of the program. The message and the student's progress say what.",
  },
  already_applied: { code: "CONFLICT", means: "The account has already applied for this opportunity." },
  slug_taken: { code: "CONFLICT", means: "Another add-on listing has this slug." },
  subject_passed: { code: "CONFLICT", means: "The student has passed a theory exam in the subject already." },
  already_enrolled: { code: "CONFLICT", means: "The student has an open enrollment in the program." },
  already_member: { code: "CONFLICT", means: "The account is already a member of this organization." },
  counter_out_of_range: {
    code: "CONFLICT",
    means: "A counter of the aircraft would fall below zero or exceed its range. Correct the counter first.",
  },
  email_already_verified: { code: "CONFLICT", means: "The e-mail address is already verified." },
  email_taken: { code: "CONFLICT", means: "The e-mail address already has an account. Sign in to it." },
  endpoint_disabled: { code: "CONFLICT", means: "The webhook endpoint is disabled. Enable it first." },
  endpoint_not_subscribed: { code: "CONFLICT", means: "The webhook endpoint is not subscribed to this type of event." },
  findings_not_acknowledged: {
    code: "CONFLICT",
    means:
      "The flight does not meet a rule of the clearance that blocks. Put it right, or acknowledge each of the `rules`.",
  },
  flight_overlaps: {
    code: "CONFLICT",
    means:
      "The aircraft or a crew member is in another submitted or approved flight at the time: `flight_id`, which the caller may not be allowed to read.",
  },
  grounding_not_by_hand: {
    code: "CONFLICT",
    means: "The aircraft is grounded by a defect, a maintenance item or a record, which must be put right instead.",
  },
  installation_key_missing: {
    code: "CONFLICT",
    means: "The organization's secrets were sealed by another installation, whose key this server does not have.",
  },
  instructor_not_qualified: {
    code: "CONFLICT",
    means:
      "The instructor had no valid certificate on that day, or may not sign off a solo because they are restricted.",
  },
  invite_claimed: { code: "CONFLICT", means: "The invite was already claimed." },
  invite_for_other_email: { code: "CONFLICT", means: "The invite is for another e-mail address than the caller's." },
  item_in_work_order: {
    code: "CONFLICT",
    means: "A work order that is not done covers the maintenance item. Complete it, or take the item out of it.",
  },
  nothing_done: {
    code: "CONFLICT",
    means: "A release says what was done: the work order needs at least one item, or findings.",
  },
  pilot_owner_may_not: {
    code: "CONFLICT",
    means:
      "A pilot-owner releases no critical item, and no aircraft of more than 2,730 kg (ML.A.803). Release it under another approval.",
  },
  last_owner: { code: "CONFLICT", means: "The organization must keep one owner. Make another member an owner first." },
  last_sign_in_method: {
    code: "CONFLICT",
    means: "The account has no other way to sign in. Set a password with `POST /auth/password/forgot` first.",
  },
  limit_reached: { code: "CONFLICT", means: "The organization has as many of these as are allowed. Remove one first." },
  link_used: { code: "CONFLICT", means: "The link was already used." },
  no_reminder: {
    code: "CONFLICT",
    means:
      "Nobody can be reminded: the record is of an aircraft or has no expiry, or the person gets no mails. The message says which.",
  },
  reminded_already: {
    code: "CONFLICT",
    means: "The person was reminded of this record within the last day. `again_at` says from when on again.",
  },
  mail_not_configured: { code: "CONFLICT", means: "This installation sends no mail. Ask its operator." },
  password_not_set: {
    code: "CONFLICT",
    means: "The account has no password. Set one with `POST /auth/password/forgot`.",
  },
  flights_pending: {
    code: "CONFLICT",
    means: "A flight with this person in its crew is submitted and not decided. Approve or reject it first.",
  },
  person_has_account: {
    code: "CONFLICT",
    means: "The person's account is a member of the organization. Remove the member first.",
  },
  person_erased: { code: "CONFLICT", means: "The person's data was erased." },
  records_kept: {
    code: "CONFLICT",
    means:
      "The law obliges the organization to keep records about the person. `until` says until when, unless a training of theirs has not ended.",
  },
  person_archived: { code: "CONFLICT", means: "The person is archived." },
  person_deleted: { code: "CONFLICT", means: "The invited person is no longer in the organization's records." },
  own_training_recorded: {
    code: "CONFLICT",
    means:
      "The account has recorded, voided, credited or completed training of the person. Nobody does so for themself, so it can't be linked to them before another member has redone that.",
  },
  person_linked: { code: "CONFLICT", means: "The person is already linked to an account." },
  other_subject: { code: "CONFLICT", means: "The record is of another person or aircraft." },
  person_not_student: { code: "CONFLICT", means: "The person is not a student." },
  prerequisite_missing: {
    code: "CONFLICT",
    means: "The lesson requires others, of which not all items are signed off.",
  },
  program_not_permitted: {
    code: "CONFLICT",
    means: "An organization of this kind may not train this. A DTO needs an approval as an ATO, a club a declaration.",
  },
  revision_empty: {
    code: "CONFLICT",
    means: "A revision without lessons, or with a lesson without items, is not published.",
  },
  revision_frozen: {
    code: "CONFLICT",
    means: "A student is or was enrolled in the revision, so it never changes. Add a new revision.",
  },
  program_in_use: { code: "CONFLICT", means: "The program has revisions." },
  customer_number_taken: { code: "CONFLICT", means: "Another customer has this number." },
  registration_taken: { code: "CONFLICT", means: "Another aircraft has this registration." },
  medical_without_files: {
    code: "CONFLICT",
    means: "The record is a medical, of which no documents are kept: they are health data.",
  },
  pack_not_valid: {
    code: "CONFLICT",
    means:
      "The file is no evidence pack of another organization that is unchanged since the given key signed it. The message says why.",
  },
  pack_outdated: {
    code: "CONFLICT",
    means: "There are credits of a newer evidence pack about the same training.",
  },
  training_not_in_pack: {
    code: "CONFLICT",
    means: "The evidence pack has no such training, or none or several in a program of this kind.",
  },
  quota_exceeded: {
    code: "CONFLICT",
    means: "The organization's attachments would exceed its quota. Delete some, or ask the operator for more.",
  },
  export_running: { code: "CONFLICT", means: "An export of this school is being made." },
  replay_running: { code: "CONFLICT", means: "Another replay is running. Wait for it, or cancel it." },
  second_factor_exists: {
    code: "CONFLICT",
    means: "The account already has a second factor. Remove it first with `DELETE /auth/mfa/enroll`.",
  },
  secret_just_rotated: {
    code: "CONFLICT",
    means: "The secret was rotated, and the previous one is still valid. Rotate again when it has expired.",
  },
  type_built_in: { code: "CONFLICT", means: "A built-in type can't be changed or removed like this." },
  type_in_use: { code: "CONFLICT", means: "There are records of this type, or a requirement names it." },
  type_key_taken: { code: "CONFLICT", means: "Another type has this key." },

  student_not_qualified: {
    code: "CONFLICT",
    means: "The student was too young to fly solo on that day, or had no valid medical certificate.",
  },
  supervises_instructors: {
    code: "CONFLICT",
    means: "The person supervises restricted instructors. Assign them another supervisor first.",
  },

  charge_invoiced: { code: "CONFLICT", means: "It is on an invoice. Void the invoice, or credit the line." },
  charge_not_by_hand: {
    code: "CONFLICT",
    means: "Only charges by hand, of packages and of programs are reversed. A flight is waived or charged anew.",
  },
  charge_reversed: { code: "CONFLICT", means: "The charge was reversed, or is a reversal itself." },
  flight_imported: { code: "CONFLICT", means: "The flight was imported. Imported flights are not charged." },
  invoice_not_sendable: {
    code: "CONFLICT",
    means:
      "It has no lines, its lines credit nothing of the invoice together, or the exchange rate makes its VAT too large.",
  },
  vat_not_allowed: { code: "CONFLICT", means: "The seller must not show the VAT of a line. The message says why." },
  seller_incomplete: {
    code: "CONFLICT",
    means:
      "An invoice needs more of its seller (§ 14 (4) UStG, Art. 226 of Directive 2006/112/EC). `fields` lists what.",
  },
  buyer_incomplete: {
    code: "CONFLICT",
    means:
      "An invoice needs more of its buyer (§ 14 (4) UStG, Art. 226 of Directive 2006/112/EC). `fields` lists what.",
  },
  vat_category_mismatch: {
    code: "CONFLICT",
    means:
      "A category of VAT does not fit the rest of the invoice: `outside_scope` is mixed with others, `intra_community` goes to no other member state, `export` stays in the EU, or the buyer has no VAT ID of another member state. `fields` lists what.",
  },
  exchange_rate_missing: {
    code: "CONFLICT",
    means:
      "The invoice has VAT, and another currency than the seller's country, in which the VAT is stated too (Art. 230 of Directive 2006/112/EC): set the exchange rate in the settings of the money, or of the draft.",
  },
  e_invoice_incomplete: {
    code: "CONFLICT",
    means: "The invoice was sent without what an e-invoice needs, or has what it can't have. `fields` lists it.",
  },
  credit_exceeds_line: {
    code: "CONFLICT",
    means: "Less is left of the line than the amount or the quantity. The message says how much.",
  },
  credit_exceeds_invoice: {
    code: "CONFLICT",
    means: "Less is left of the invoice than the credit note credits.",
  },
  invoice_settled: { code: "CONFLICT", means: "Something of the invoice was paid or credited." },
  line_credited: { code: "CONFLICT", means: "The line, or every line, is credited already." },
  invoice_not_payable: { code: "CONFLICT", means: "It is a draft, void, paid, or a credit note." },
  nothing_on_account: { code: "CONFLICT", means: "Nothing of the payment is on account." },
  nothing_to_refund: { code: "CONFLICT", means: "Nothing is left to give back." },
  package_drawn: {
    code: "CONFLICT",
    means: "Flights were drawn from the package: only the rest of it is credited. `quantity` says how much.",
  },
  rate_overlaps: {
    code: "CONFLICT",
    means: "Another rate for exactly the same is valid on one of these days. End that one first.",
  },
  rate_used: {
    code: "CONFLICT",
    means: "Charges have used the rate. Only its last day can change, to one that is not before its last use.",
  },

  // The request is a repeat
  answer_lost: {
    code: "CONFLICT",
    means: "The request with this `Idempotency-Key` was carried out. Its response was lost and cannot be repeated.",
  },
  answer_shown_once: {
    code: "CONFLICT",
    means: "The request with this `Idempotency-Key` was carried out. Its response has a secret and is shown only once.",
  },
  request_in_progress: {
    code: "CONFLICT",
    means: "Another request with the same key or token is in progress. Retry when it has finished.",
  },

  // The resource has ended
  invite_expired: { code: "GONE", means: "The invite has expired." },
  invite_revoked: { code: "GONE", means: "The invite was revoked." },
  invited_person_deleted: { code: "GONE", means: "The invited person is no longer in the organization's records." },
  inviter_not_permitted: {
    code: "GONE",
    means: "The member who made the invite may no longer make it, or nobody can while the organization is suspended.",
  },
  content_removed: {
    code: "GONE",
    means:
      "The content of the evidence pack was removed, or the documents of the invoice with the data of its buyer: `content_removed_at` says when. What was signed about a pack stays, and so do the figures of an invoice.",
  },
  records_restored: {
    code: "GONE",
    means:
      "The organization's records were restored from a backup that is older than the `cursor`. Delete the copy of the list and read it from its beginning.",
  },
  link_expired: { code: "GONE", means: "The link has expired. Request another." },
  link_void: { code: "GONE", means: "The link is no longer valid. Request another." },

  second_factor_missing: {
    code: "PRECONDITION_FAILED",
    means: "The account has no second factor. Set one up with `POST /auth/mfa/enroll/start`.",
  },

  resource_changed: {
    code: "PRECONDITION_FAILED",
    means: "The resource has changed since the caller read it: it has another tag than `If-Match`.",
  },

  content_damaged: {
    code: "UNAVAILABLE",
    means:
      "The file is damaged on the server's disk. Retrying does not help: the operator can restore it from a backup.",
  },

  disk_full: {
    code: "UNAVAILABLE",
    means: "The server's disk is full, so nothing can be stored. Retry when its operator has freed some space.",
  },

  // Operator commands, which are not HTTP operations
  email_unverified: { code: "CONFLICT", means: "The account's e-mail address is not verified." },
  job_running: { code: "CONFLICT", means: "The job is already running." },
} as const satisfies Record<string, { code: ErrorCode; means: string }>;

export type Reason = keyof typeof reasons;

/** The reasons of one code. */
export type ReasonOf<Code extends ErrorCode> = {
  [R in Reason]: (typeof reasons)[R]["code"] extends Code ? R : never;
}[Reason];

export const isReason = (value: unknown): value is Reason => typeof value === "string" && Object.hasOwn(reasons, value);

export const reasonNames: readonly Reason[] = Object.keys(reasons).filter(isReason);
