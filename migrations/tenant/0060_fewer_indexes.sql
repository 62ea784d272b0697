DROP INDEX `audit_log_kind_action`;
--> statement-breakpoint
DROP INDEX `audit_log_org`;
--> statement-breakpoint
DROP INDEX `audit_log_org_action`;
--> statement-breakpoint
DROP INDEX `audit_log_org_kind`;
--> statement-breakpoint
DROP INDEX `webhook_endpoints_kept`;
--> statement-breakpoint
DROP INDEX `people_pilots_updated`;
--> statement-breakpoint
DROP INDEX `people_instructor_updated`;
--> statement-breakpoint
DROP INDEX `people_student`;
--> statement-breakpoint
DROP INDEX `people_pilot`;
--> statement-breakpoint
DROP INDEX `people_licence`;
--> statement-breakpoint
DROP INDEX `people_supervisor`;
--> statement-breakpoint
CREATE INDEX `people_licence` ON `people` (`licence_number`) WHERE "people"."licence_number" is not null;
--> statement-breakpoint
CREATE INDEX `people_supervisor` ON `people` (`supervisor_id`) WHERE "people"."supervisor_id" is not null;
--> statement-breakpoint
DROP INDEX `mails_person`;
--> statement-breakpoint
DROP INDEX `aircraft_status`;
--> statement-breakpoint
DROP INDEX `compliance_records_type_status`;
--> statement-breakpoint
DROP INDEX `compliance_requirements_role`;
--> statement-breakpoint
DROP INDEX `compliance_types_subject`;
--> statement-breakpoint
DROP INDEX `flight_crew_person`;
--> statement-breakpoint
DROP INDEX `flight_crew_listed`;
--> statement-breakpoint
CREATE INDEX `flight_crew_listed` ON `flight_crew` (`person_id`,`off_block_at`,`flight_id`,`status`,`aircraft_id`,`has_workshop_remarks`,`function`);
--> statement-breakpoint
DROP INDEX `flights_aircraft_workshop`;
--> statement-breakpoint
DROP INDEX `flights_status_updated`;
--> statement-breakpoint
DROP INDEX `flights_workshop`;
--> statement-breakpoint
DROP INDEX `flights_updated`;
--> statement-breakpoint
CREATE INDEX `flights_workshop` ON `flights` (case when off_block_at is null then '' else off_block_at end,`id`,`aircraft_id`) WHERE workshop_remarks is not null;
--> statement-breakpoint
CREATE INDEX `flights_updated` ON `flights` (`updated_at`,`id`,`status`) WHERE status <> 'draft';
--> statement-breakpoint
DROP INDEX `defects_aircraft_status`;
--> statement-breakpoint
DROP INDEX `defects_flight`;
--> statement-breakpoint
CREATE INDEX `defects_flight` ON `defects` (`flight_id`) WHERE "defects"."flight_id" is not null;
--> statement-breakpoint
DROP INDEX `maintenance_items_status`;
--> statement-breakpoint
DROP INDEX `maintenance_items_aircraft_status`;
--> statement-breakpoint
DROP INDEX `attachment_uploads_started`;
--> statement-breakpoint
DROP INDEX `share_tokens_creator`;
--> statement-breakpoint
DROP INDEX `training_enrollments_program_status`;
--> statement-breakpoint
DROP INDEX `training_enrollments_revision`;
--> statement-breakpoint
DROP INDEX `training_programs_kind`;
--> statement-breakpoint
DROP INDEX `finance_charges_enrollment`;
--> statement-breakpoint
DROP INDEX `finance_charges_package`;
--> statement-breakpoint
DROP INDEX `finance_charges_invoice`;
--> statement-breakpoint
DROP INDEX `finance_charges_reverses`;
--> statement-breakpoint
DROP INDEX `finance_charges_reduces`;
--> statement-breakpoint
CREATE INDEX `finance_charges_package` ON `finance_charges` (`package_id`,`id`) WHERE "finance_charges"."package_id" is not null;
--> statement-breakpoint
CREATE INDEX `finance_charges_invoice` ON `finance_charges` (`invoice_id`) WHERE "finance_charges"."invoice_id" is not null;
--> statement-breakpoint
CREATE INDEX `finance_charges_reverses` ON `finance_charges` (`reverses_id`) WHERE "finance_charges"."reverses_id" is not null;
--> statement-breakpoint
CREATE INDEX `finance_charges_reduces` ON `finance_charges` (`reduces_id`) WHERE "finance_charges"."reduces_id" is not null;
--> statement-breakpoint
DROP INDEX `finance_packages_aircraft`;
--> statement-breakpoint
DROP INDEX `finance_rates_aircraft`;
--> statement-breakpoint
DROP INDEX `finance_rates_instructor`;
--> statement-breakpoint
DROP INDEX `finance_rates_program`;
--> statement-breakpoint
DROP INDEX `finance_rates_person`;
--> statement-breakpoint
DROP INDEX `finance_rates_kind`;
--> statement-breakpoint
DROP INDEX `finance_refunds_person`;
--> statement-breakpoint
DROP INDEX `finance_refunds_payment`;
--> statement-breakpoint
DROP INDEX `finance_refunds_credit_note`;
--> statement-breakpoint
CREATE INDEX `finance_refunds_payment` ON `finance_refunds` (`payment_id`,`id`) WHERE "finance_refunds"."payment_id" is not null;
--> statement-breakpoint
CREATE INDEX `finance_refunds_credit_note` ON `finance_refunds` (`credit_note_id`) WHERE "finance_refunds"."credit_note_id" is not null;
--> statement-breakpoint
DROP INDEX `finance_entries_invoice`;
--> statement-breakpoint
DROP INDEX `finance_entries_payment`;
--> statement-breakpoint
DROP INDEX `finance_entries_refund`;
--> statement-breakpoint
DROP INDEX `finance_months_unchecked`;
--> statement-breakpoint
DROP INDEX `planning_absences_until`;
--> statement-breakpoint
DROP INDEX `planning_rooms_status`;
--> statement-breakpoint
DROP INDEX `planning_wishes_person_status`;
--> statement-breakpoint
DROP INDEX `planning_wishes_window`;
--> statement-breakpoint
DROP INDEX `planning_wishes_until`;
--> statement-breakpoint
DROP INDEX `planning_wishes_offered`;
--> statement-breakpoint
DROP INDEX `planning_wishes_offered_aircraft`;
--> statement-breakpoint
DROP INDEX `planning_wishes_offered_instructor`;
--> statement-breakpoint
DROP INDEX `planning_wishes_instructor`;
--> statement-breakpoint
DROP INDEX `evidence_packs_type_status`;
--> statement-breakpoint
DROP INDEX `evidence_packs_person`;
--> statement-breakpoint
CREATE INDEX `evidence_packs_person` ON `evidence_packs` (`person_id`,`id`) WHERE "evidence_packs"."person_id" is not null;
--> statement-breakpoint
DROP INDEX `directory_profiles_consent`;
--> statement-breakpoint
DROP INDEX `training_signoffs_flight`;
--> statement-breakpoint
CREATE INDEX `training_signoffs_flight` ON `training_signoffs` (`flight_id`) WHERE "training_signoffs"."flight_id" is not null;
--> statement-breakpoint
DROP INDEX `finance_flights_named_payer`;
--> statement-breakpoint
CREATE INDEX `finance_flights_named_payer` ON `finance_flights` (`named_payer_id`) WHERE "finance_flights"."named_payer_id" is not null;
--> statement-breakpoint
DROP INDEX `finance_invoice_lines_charge`;
--> statement-breakpoint
DROP INDEX `finance_invoice_lines_credits`;
--> statement-breakpoint
CREATE INDEX `finance_invoice_lines_charge` ON `finance_invoice_lines` (`charge_id`) WHERE "finance_invoice_lines"."charge_id" is not null;
--> statement-breakpoint
CREATE INDEX `finance_invoice_lines_credits` ON `finance_invoice_lines` (`credits_line_id`) WHERE "finance_invoice_lines"."credits_line_id" is not null;
--> statement-breakpoint
DROP INDEX `finance_invoices_credits`;
--> statement-breakpoint
CREATE INDEX `finance_invoices_credits` ON `finance_invoices` (`credits_id`) WHERE "finance_invoices"."credits_id" is not null;
--> statement-breakpoint
DROP INDEX `finance_allocations_payment`;
--> statement-breakpoint
DROP INDEX `finance_allocations_credit_note`;
--> statement-breakpoint
CREATE INDEX `finance_allocations_payment` ON `finance_allocations` (`payment_id`) WHERE "finance_allocations"."payment_id" is not null;
--> statement-breakpoint
CREATE INDEX `finance_allocations_credit_note` ON `finance_allocations` (`credit_note_id`) WHERE "finance_allocations"."credit_note_id" is not null;
--> statement-breakpoint
DROP INDEX `planning_sessions_room`;
--> statement-breakpoint
DROP INDEX `planning_sessions_series`;
--> statement-breakpoint
CREATE INDEX `planning_sessions_room` ON `planning_sessions` (`room_id`,`start_at`,`id`) WHERE "planning_sessions"."room_id" is not null;
--> statement-breakpoint
CREATE INDEX `planning_sessions_series` ON `planning_sessions` (`series_id`,`start_at`,`id`) WHERE "planning_sessions"."series_id" is not null;