CREATE TABLE `applied_intents` (
	`id` text PRIMARY KEY NOT NULL,
	`applied_at` text NOT NULL
);

--> statement-breakpoint
CREATE TABLE `audit_log` (
	`seq` integer PRIMARY KEY NOT NULL,
	`at` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text,
	`action` text NOT NULL,
	`subject_kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`org_id` text,
	`request_id` text NOT NULL,
	`payload` text,
	`salt` text NOT NULL,
	`digest` text NOT NULL,
	`hash` text NOT NULL
);

--> statement-breakpoint
CREATE INDEX `audit_log_subject` ON `audit_log` (`subject_id`,`seq`);
--> statement-breakpoint
CREATE INDEX `audit_log_action` ON `audit_log` (`action`,`seq`) WHERE "audit_log"."org_id" is null;
--> statement-breakpoint
CREATE INDEX `audit_log_kind` ON `audit_log` (`subject_kind`,`seq`) WHERE "audit_log"."org_id" is null;
--> statement-breakpoint
CREATE TABLE `intents` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`org_id` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` text NOT NULL
);

--> statement-breakpoint
CREATE INDEX `intents_org` ON `intents` (`org_id`);
--> statement-breakpoint
CREATE TABLE `search_words` (
	`list` text NOT NULL,
	`record` text NOT NULL,
	`word` text NOT NULL,
	`past` integer NOT NULL,
	PRIMARY KEY(`record`, `list`, `word`)
);

--> statement-breakpoint
CREATE INDEX `search_words_word` ON `search_words` (`list`,`past`,`word`,"record" desc);
--> statement-breakpoint
CREATE TABLE `used_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`body_hash` text NOT NULL,
	`used_at` text NOT NULL,
	`status` integer,
	`answer` text,
	`permissions` text,
	`location` text
);

--> statement-breakpoint
CREATE INDEX `used_keys_used_at` ON `used_keys` (`used_at`);
--> statement-breakpoint
CREATE TABLE `account_names` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);

--> statement-breakpoint
CREATE TABLE `meta` (
	`only` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`time_zone` text DEFAULT 'UTC' NOT NULL,
	`zone_of_dates` text,
	`created_at` text NOT NULL,
	`suspended_at` text,
	`data_key` text NOT NULL,
	`sealed_by` text NOT NULL,
	`changes` integer DEFAULT 0 NOT NULL,
	`writes` integer DEFAULT 0 NOT NULL
);

--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`endpoint_id` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`due_at` text,
	`lease_token` text,
	`lease_until` text,
	`created_at` text NOT NULL,
	`finished_at` text,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`endpoint_id`) REFERENCES `webhook_endpoints`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `deliveries_turn` ON `deliveries` (`endpoint_id`,`due_at`,`id`) WHERE "deliveries"."status" = 'pending';
--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`due_at`) WHERE "deliveries"."status" = 'pending';
--> statement-breakpoint
CREATE INDEX `deliveries_leased` ON `deliveries` (`lease_until`) WHERE "deliveries"."status" = 'delivering';
--> statement-breakpoint
CREATE INDEX `deliveries_event` ON `deliveries` (`event_id`,`id`);
--> statement-breakpoint
CREATE INDEX `deliveries_endpoint` ON `deliveries` (`endpoint_id`,`id`);
--> statement-breakpoint
CREATE INDEX `deliveries_ended` ON `deliveries` (`endpoint_id`,`status`,`id`) WHERE "deliveries"."finished_at" is not null;
--> statement-breakpoint
CREATE TABLE `delivery_attempts` (
	`delivery_id` text NOT NULL,
	`number` integer NOT NULL,
	`started_at` text NOT NULL,
	`duration_ms` integer NOT NULL,
	`status_code` integer,
	`error_class` text,
	`response_headers` text,
	`response_body` text,
	`request_headers` text,
	PRIMARY KEY(`delivery_id`, `number`),
	FOREIGN KEY (`delivery_id`) REFERENCES `deliveries`(`id`) ON UPDATE no action ON DELETE cascade
);

--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`occurred_at` text NOT NULL,
	`data` text NOT NULL,
	`traceparent` text
);

--> statement-breakpoint
CREATE INDEX `events_type` ON `events` (`type`,`id`);
--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`description` text,
	`event_types` text NOT NULL,
	`enabled` integer NOT NULL,
	`disabled_reason` text,
	`primary_secret` text NOT NULL,
	`secondary_secret` text,
	`secondary_until` text,
	`header_names` text,
	`headers` text,
	`failing_since` text,
	`last_failure_at` text,
	`last_failure_class` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text
);

--> statement-breakpoint
CREATE TABLE `former_links` (
	`person_id` text NOT NULL,
	`user_id` text,
	`email` text,
	`until` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `former_links_person` ON `former_links` (`person_id`,`until`);
--> statement-breakpoint
CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`email` text,
	`phone` text,
	`street` text,
	`postcode` text,
	`city` text,
	`country` text,
	`emergency_name` text,
	`emergency_phone` text,
	`emergency_relation` text,
	`types` text NOT NULL,
	`types_ever` text DEFAULT '[]' NOT NULL,
	`language` text,
	`date_of_birth` text,
	`licence_number` text,
	`licence_authority` text,
	`ratings` text NOT NULL,
	`user_id` text,
	`linked_by` text,
	`restricted_instructor` integer NOT NULL,
	`supervisor_id` text,
	`receives_mails` integer DEFAULT true NOT NULL,
	`erased_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`supervisor_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE UNIQUE INDEX `people_user_id_unique` ON `people` (`user_id`);
--> statement-breakpoint
CREATE INDEX `people_name` ON `people` (`name`,`id`);
--> statement-breakpoint
CREATE INDEX `people_status` ON `people` (`status`,`name`,`id`);
--> statement-breakpoint
CREATE INDEX `people_flying_updated` ON `people` (`updated_at`,`id`) WHERE (instr("people"."types_ever", '"student"') > 0 or instr("people"."types_ever", '"pilot"') > 0 or instr("people"."types_ever", '"instructor"') > 0);
--> statement-breakpoint
CREATE INDEX `people_instructor` ON `people` (`name`,`id`) WHERE (instr("people"."types", '"instructor"') > 0);
--> statement-breakpoint
CREATE INDEX `people_mechanic` ON `people` (`name`,`id`) WHERE (instr("people"."types", '"mechanic"') > 0);
--> statement-breakpoint
CREATE INDEX `people_staff` ON `people` (`name`,`id`) WHERE (instr("people"."types", '"staff"') > 0);
--> statement-breakpoint
CREATE INDEX `people_email` ON `people` (`email`);
--> statement-breakpoint
CREATE INDEX `people_licence` ON `people` (`licence_number`) WHERE "people"."licence_number" is not null;
--> statement-breakpoint
CREATE INDEX `people_supervisor` ON `people` (`supervisor_id`) WHERE "people"."supervisor_id" is not null;
--> statement-breakpoint
CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`alert` text NOT NULL,
	`subject_id` text NOT NULL,
	`session_ids` text,
	`former_start_at` text,
	`former_end_at` text,
	`person_id` text,
	`recipient` text NOT NULL,
	`user_id` text,
	`attempts` integer NOT NULL,
	`due_at` text NOT NULL,
	`created_at` text NOT NULL,
	`traceparent` text,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `mails_due` ON `mails` (`due_at`,`id`);
--> statement-breakpoint
CREATE INDEX `mails_subject` ON `mails` (`subject_id`);
--> statement-breakpoint
CREATE TABLE `aircraft` (
	`id` text PRIMARY KEY NOT NULL,
	`registration` text NOT NULL,
	`model` text NOT NULL,
	`icao_type` text,
	`serial_number` text,
	`class` text NOT NULL,
	`mtom_kg` integer,
	`seats` integer,
	`multi_pilot` integer DEFAULT false NOT NULL,
	`hourly_rate_minor` integer,
	`currency` text,
	`billing_basis` text NOT NULL,
	`status` text NOT NULL,
	`hobbs` integer NOT NULL,
	`tacho` integer NOT NULL,
	`airframe_minutes` integer NOT NULL,
	`landings` integer DEFAULT 0 NOT NULL,
	`opening_hobbs` integer NOT NULL,
	`opening_tacho` integer NOT NULL,
	`opening_airframe_minutes` integer NOT NULL,
	`opening_landings` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `aircraft_registration_unique` ON `aircraft` (`registration`);
--> statement-breakpoint
CREATE TABLE `counter_corrections` (
	`id` text PRIMARY KEY NOT NULL,
	`aircraft_id` text NOT NULL,
	`hobbs` integer NOT NULL,
	`tacho` integer NOT NULL,
	`airframe_minutes` integer NOT NULL,
	`landings` integer NOT NULL,
	`reason` text NOT NULL,
	`corrected_by` text,
	`corrected_at` text NOT NULL,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `counter_corrections_aircraft` ON `counter_corrections` (`aircraft_id`,`id`);
--> statement-breakpoint
CREATE TABLE `counter_postings` (
	`flight_id` text NOT NULL,
	`kind` text NOT NULL,
	`aircraft_id` text NOT NULL,
	`hobbs` integer NOT NULL,
	`tacho` integer NOT NULL,
	`airframe_minutes` integer NOT NULL,
	`landings` integer DEFAULT 0 NOT NULL,
	`posted_at` text NOT NULL,
	PRIMARY KEY(`flight_id`, `kind`),
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `counter_postings_aircraft` ON `counter_postings` (`aircraft_id`,`posted_at`);
--> statement-breakpoint
CREATE TABLE `groundings` (
	`id` text PRIMARY KEY NOT NULL,
	`aircraft_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text,
	`note` text NOT NULL,
	`since` text NOT NULL,
	`grounded_by` text,
	`lifted_at` text,
	`lifted_by` text,
	`lift_note` text,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `groundings_open` ON `groundings` (`aircraft_id`,`id`) WHERE lifted_at is null;
--> statement-breakpoint
CREATE INDEX `groundings_aircraft` ON `groundings` (`aircraft_id`,`id`);
--> statement-breakpoint
CREATE INDEX `groundings_lifted` ON `groundings` (`aircraft_id`,`lifted_at`) WHERE lifted_at is not null;
--> statement-breakpoint
CREATE TABLE `compliance_evaluations` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text,
	`aircraft_id` text,
	`status` text NOT NULL,
	`reasons` text NOT NULL,
	`changes_on` text,
	`evaluated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE cascade
);

--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_evaluations_person_id_unique` ON `compliance_evaluations` (`person_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_evaluations_aircraft_id_unique` ON `compliance_evaluations` (`aircraft_id`);
--> statement-breakpoint
CREATE INDEX `compliance_evaluations_status` ON `compliance_evaluations` (`status`,`id`);
--> statement-breakpoint
CREATE INDEX `compliance_evaluations_changes` ON `compliance_evaluations` (`changes_on`) WHERE "compliance_evaluations"."changes_on" is not null;
--> statement-breakpoint
CREATE TABLE `compliance_records` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text,
	`aircraft_id` text,
	`type` text NOT NULL,
	`level` text,
	`number` text,
	`issued_by` text,
	`issued_on` text NOT NULL,
	`valid_until` text,
	`other_levels` text DEFAULT '[]' NOT NULL,
	`method` text,
	`remarks` text,
	`status` text NOT NULL,
	`superseded_by` text,
	`withdrawal_reason` text,
	`entered_by_mistake` integer DEFAULT false NOT NULL,
	`next_notice_on` text,
	`reminded_at` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`type`) REFERENCES `compliance_types`(`key`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`superseded_by`) REFERENCES `compliance_records`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "compliance_records_subject" CHECK(("compliance_records"."person_id" is null) <> ("compliance_records"."aircraft_id" is null))
);

--> statement-breakpoint
CREATE INDEX `compliance_records_person` ON `compliance_records` (`person_id`,`id`);
--> statement-breakpoint
CREATE INDEX `compliance_records_aircraft` ON `compliance_records` (`aircraft_id`,`id`);
--> statement-breakpoint
CREATE INDEX `compliance_records_type` ON `compliance_records` (`type`,`id`);
--> statement-breakpoint
CREATE INDEX `compliance_records_status` ON `compliance_records` (`status`,`id`);
--> statement-breakpoint
CREATE INDEX `compliance_records_notice` ON `compliance_records` (`next_notice_on`) WHERE "compliance_records"."next_notice_on" is not null;
--> statement-breakpoint
CREATE INDEX `compliance_records_expiry` ON `compliance_records` (`valid_until`,`id`) WHERE "compliance_records"."status" = 'current' and "compliance_records"."valid_until" is not null;
--> statement-breakpoint
CREATE INDEX `compliance_records_superseded_by` ON `compliance_records` (`superseded_by`) WHERE "compliance_records"."superseded_by" is not null;
--> statement-breakpoint
CREATE INDEX `compliance_records_person_type` ON `compliance_records` (`person_id`,`type`,`status`,`issued_on`);
--> statement-breakpoint
CREATE INDEX `compliance_records_aircraft_type` ON `compliance_records` (`aircraft_id`,`type`,`status`,`issued_on`);
--> statement-breakpoint
CREATE TABLE `compliance_requirements` (
	`id` text PRIMARY KEY NOT NULL,
	`applies_to` text NOT NULL,
	`any_of` text NOT NULL,
	`levels` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);

--> statement-breakpoint
CREATE TABLE `compliance_types` (
	`id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`name` text NOT NULL,
	`subject` text NOT NULL,
	`levels` text NOT NULL,
	`validity_months` integer,
	`valid_until_required` integer DEFAULT false NOT NULL,
	`warning_days` integer NOT NULL,
	`built_in` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_types_key_unique` ON `compliance_types` (`key`);
--> statement-breakpoint
CREATE TABLE `clearance_rules` (
	`key` text PRIMARY KEY NOT NULL,
	`action` text NOT NULL,
	`updated_at` text NOT NULL
);

--> statement-breakpoint
CREATE TABLE `flight_crew` (
	`flight_id` text NOT NULL,
	`position` integer NOT NULL,
	`person_id` text NOT NULL,
	`function` text NOT NULL,
	`day_landings` integer DEFAULT 0 NOT NULL,
	`night_landings` integer DEFAULT 0 NOT NULL,
	`logged_at` text,
	`logged_minutes` integer,
	`off_block_at` text DEFAULT '' NOT NULL,
	`status` text DEFAULT 'draft' NOT NULL,
	`aircraft_id` text DEFAULT '' NOT NULL,
	`has_workshop_remarks` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`flight_id`, `position`),
	FOREIGN KEY (`flight_id`) REFERENCES `flights`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `flight_crew_listed` ON `flight_crew` (`person_id`,`off_block_at`,`flight_id`,`status`,`aircraft_id`,`has_workshop_remarks`,`function`);
--> statement-breakpoint
CREATE INDEX `flight_crew_logbook` ON `flight_crew` (`person_id`,`logged_at`,`flight_id`) WHERE logged_at is not null;
--> statement-breakpoint
CREATE TABLE `flight_flyers` (
	`flight_id` text NOT NULL,
	`person_id` text NOT NULL,
	`user_id` text,
	`email` text,
	PRIMARY KEY(`flight_id`, `person_id`),
	FOREIGN KEY (`flight_id`) REFERENCES `flights`(`id`) ON UPDATE no action ON DELETE cascade
);

--> statement-breakpoint
CREATE TABLE `flights` (
	`id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`revision` integer NOT NULL,
	`imported` integer DEFAULT false NOT NULL,
	`aircraft_id` text NOT NULL,
	`nature` text,
	`off_block_at` text,
	`take_off_at` text,
	`landing_at` text,
	`on_block_at` text,
	`departure` text,
	`arrival` text,
	`day_landings` integer NOT NULL,
	`night_landings` integer NOT NULL,
	`night_minutes` integer NOT NULL,
	`ifr_minutes` integer NOT NULL,
	`hobbs_start` integer,
	`hobbs_end` integer,
	`tacho_start` integer,
	`tacho_end` integer,
	`passengers` integer DEFAULT 0 NOT NULL,
	`fuel_uplift_litres` integer,
	`oil_uplift_litres` integer,
	`lesson` text,
	`lesson_id` text,
	`enrollment_id` text,
	`supervisor_id` text,
	`cross_country_km` integer,
	`full_stops_elsewhere` integer,
	`remarks` text,
	`workshop_remarks` text,
	`warnings` text NOT NULL,
	`findings` text DEFAULT '[]' NOT NULL,
	`created_by` text NOT NULL,
	`submitted_by` text,
	`submitted_at` text,
	`approved_by` text,
	`approved_at` text,
	`self_approval_reason` text,
	`rejected_at` text,
	`rejection_reason` text,
	`reversed_at` text,
	`reversal_reason` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`supervisor_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `flights_aircraft_off_block` ON `flights` (`aircraft_id`,case when off_block_at is null then '' else off_block_at end,`id`);
--> statement-breakpoint
CREATE INDEX `flights_aircraft_status_off_block` ON `flights` (`aircraft_id`,`status`,case when off_block_at is null then '' else off_block_at end,`id`);
--> statement-breakpoint
CREATE INDEX `flights_off_block` ON `flights` (case when off_block_at is null then '' else off_block_at end,`id`);
--> statement-breakpoint
CREATE INDEX `flights_status_off_block` ON `flights` (`status`,case when off_block_at is null then '' else off_block_at end,`id`);
--> statement-breakpoint
CREATE INDEX `flights_workshop` ON `flights` (case when off_block_at is null then '' else off_block_at end,`id`,`aircraft_id`) WHERE workshop_remarks is not null;
--> statement-breakpoint
CREATE INDEX `flights_created_by` ON `flights` (`created_by`,case when off_block_at is null then '' else off_block_at end,`id`,`status`,`aircraft_id`,workshop_remarks is not null);
--> statement-breakpoint
CREATE INDEX `flights_enrollment` ON `flights` (`enrollment_id`,`status`) WHERE enrollment_id is not null;
--> statement-breakpoint
CREATE INDEX `flights_supervisor` ON `flights` (`supervisor_id`,case when off_block_at is null then '' else off_block_at end,`id`) WHERE "flights"."supervisor_id" is not null;
--> statement-breakpoint
CREATE INDEX `flights_public_off_block` ON `flights` (case when off_block_at is null then '' else off_block_at end,`id`) WHERE status <> 'draft';
--> statement-breakpoint
CREATE INDEX `flights_updated` ON `flights` (`updated_at`,`id`,`status`) WHERE status <> 'draft';
--> statement-breakpoint
CREATE TABLE `defects` (
	`id` text PRIMARY KEY NOT NULL,
	`aircraft_id` text NOT NULL,
	`flight_id` text,
	`description` text NOT NULL,
	`grounding` integer NOT NULL,
	`status` text NOT NULL,
	`work_order_id` text NOT NULL,
	`deferral_reason` text,
	`deferred_until` text,
	`deferred_minutes` integer,
	`deferred_at` text,
	`deferred_until_airframe_minutes` integer,
	`changes_on` text,
	`reported_by` text,
	`rectified_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`work_order_id`) REFERENCES `work_orders`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `defects_aircraft` ON `defects` (`aircraft_id`,`id`);
--> statement-breakpoint
CREATE INDEX `defects_work_order` ON `defects` (`work_order_id`);
--> statement-breakpoint
CREATE INDEX `defects_flight` ON `defects` (`flight_id`) WHERE "defects"."flight_id" is not null;
--> statement-breakpoint
CREATE INDEX `defects_changes_on` ON `defects` (`changes_on`) WHERE changes_on is not null;
--> statement-breakpoint
CREATE TABLE `maintenance_items` (
	`id` text PRIMARY KEY NOT NULL,
	`aircraft_id` text NOT NULL,
	`name` text NOT NULL,
	`notes` text,
	`critical` integer NOT NULL,
	`hours_counter` text NOT NULL,
	`interval_hours` integer,
	`interval_months` integer,
	`interval_landings` integer,
	`tolerance_hours` integer NOT NULL,
	`tolerance_months` integer NOT NULL,
	`tolerance_days` integer NOT NULL,
	`tolerance_landings` integer NOT NULL,
	`upcoming_hours` integer NOT NULL,
	`upcoming_days` integer NOT NULL,
	`upcoming_landings` integer NOT NULL,
	`last_done_on` text,
	`last_done_hobbs` integer,
	`last_done_tacho` integer,
	`last_done_airframe_minutes` integer,
	`last_done_landings` integer,
	`last_done_by` text,
	`last_done_note` text,
	`last_done_at` text,
	`last_done_given` text DEFAULT '{}' NOT NULL,
	`last_done_corrected` text DEFAULT '{"hobbs":0,"tacho":0,"airframe_minutes":0,"landings":0}' NOT NULL,
	`status` text NOT NULL,
	`past_tolerance` integer NOT NULL,
	`due_on` text,
	`due_hours` integer,
	`due_landings` integer,
	`remaining_hours` integer,
	`remaining_landings` integer,
	`forecast_on` text,
	`changes_on` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `maintenance_items_name` ON `maintenance_items` (`name`,`id`);
--> statement-breakpoint
CREATE INDEX `maintenance_items_aircraft` ON `maintenance_items` (`aircraft_id`,`name`,`id`);
--> statement-breakpoint
CREATE INDEX `maintenance_items_changes_on` ON `maintenance_items` (`changes_on`) WHERE changes_on is not null;
--> statement-breakpoint
CREATE TABLE `work_order_hours` (
	`work_order_id` text NOT NULL,
	`position` integer NOT NULL,
	`person_id` text,
	`worked_by` text,
	`worked_on` text NOT NULL,
	`minutes` integer NOT NULL,
	PRIMARY KEY(`work_order_id`, `position`),
	FOREIGN KEY (`work_order_id`) REFERENCES `work_orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `work_order_hours_person` ON `work_order_hours` (`person_id`,`work_order_id`) WHERE "work_order_hours"."person_id" is not null;
--> statement-breakpoint
CREATE TABLE `work_order_items` (
	`work_order_id` text NOT NULL,
	`item_id` text NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`work_order_id`, `item_id`),
	FOREIGN KEY (`work_order_id`) REFERENCES `work_orders`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `work_order_items_item` ON `work_order_items` (`item_id`);
--> statement-breakpoint
CREATE TABLE `work_orders` (
	`id` text PRIMARY KEY NOT NULL,
	`number` text NOT NULL,
	`aircraft_id` text NOT NULL,
	`title` text NOT NULL,
	`status` text NOT NULL,
	`findings` text,
	`parts` text NOT NULL,
	`worked_minutes` integer NOT NULL,
	`notes` text,
	`opened_by` text,
	`started_at` text,
	`completed_at` text,
	`release_by` text,
	`release_person_id` text,
	`release_licence_number` text,
	`release_approval` text,
	`release_approval_reference` text,
	`release_maintenance_data` text,
	`release_on` text,
	`release_hobbs` integer,
	`release_tacho` integer,
	`release_airframe_minutes` integer,
	`release_landings` integer,
	`release_given` text DEFAULT '{}' NOT NULL,
	`release_at` text,
	`release_corrected` text DEFAULT '{"hobbs":0,"tacho":0,"airframe_minutes":0,"landings":0}' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`release_person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE UNIQUE INDEX `work_orders_number_unique` ON `work_orders` (`number`);
--> statement-breakpoint
CREATE INDEX `work_orders_status` ON `work_orders` (`status`,`id`);
--> statement-breakpoint
CREATE INDEX `work_orders_aircraft` ON `work_orders` (`aircraft_id`,`id`);
--> statement-breakpoint
CREATE INDEX `work_orders_aircraft_status` ON `work_orders` (`aircraft_id`,`status`,`id`);
--> statement-breakpoint
CREATE INDEX `work_orders_release_person` ON `work_orders` (`release_person_id`,`id`) WHERE "work_orders"."release_person_id" is not null;
--> statement-breakpoint
CREATE INDEX `work_orders_updated` ON `work_orders` (`updated_at`,`id`);
--> statement-breakpoint
CREATE TABLE `attachment_chunks` (
	`attachment_id` text NOT NULL,
	`position` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`attachment_id`, `position`)
);

--> statement-breakpoint
CREATE TABLE `attachment_uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`reserved_bytes` integer NOT NULL,
	`started_at` text NOT NULL
);

--> statement-breakpoint
CREATE TABLE `attachment_usage` (
	`only` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`bytes` integer NOT NULL
);

--> statement-breakpoint
CREATE TABLE `attachments` (
	`id` text PRIMARY KEY NOT NULL,
	`record_id` text,
	`work_order_id` text,
	`defect_id` text,
	`filename` text NOT NULL,
	`media_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`chunk_digests` blob,
	`uploaded_by` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`record_id`) REFERENCES `compliance_records`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`work_order_id`) REFERENCES `work_orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`defect_id`) REFERENCES `defects`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "attachments_owner" CHECK(("attachments"."record_id" is not null) + ("attachments"."work_order_id" is not null) + ("attachments"."defect_id" is not null) = 1)
);

--> statement-breakpoint
CREATE INDEX `attachments_record` ON `attachments` (`record_id`,`id`) WHERE "attachments"."record_id" is not null;
--> statement-breakpoint
CREATE INDEX `attachments_work_order` ON `attachments` (`work_order_id`,`id`) WHERE "attachments"."work_order_id" is not null;
--> statement-breakpoint
CREATE INDEX `attachments_defect` ON `attachments` (`defect_id`,`id`) WHERE "attachments"."defect_id" is not null;
--> statement-breakpoint
CREATE TABLE `share_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`subject_id` text NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`created_by` text,
	`created_at` text NOT NULL,
	`expires_at` text,
	`revoked_at` text
);

--> statement-breakpoint
CREATE UNIQUE INDEX `share_tokens_token_hash_unique` ON `share_tokens` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `share_tokens_subject` ON `share_tokens` (`subject_id`,`id`);
--> statement-breakpoint
CREATE TABLE `training_enrollments` (
	`id` text PRIMARY KEY NOT NULL,
	`student_id` text NOT NULL,
	`program_id` text NOT NULL,
	`revision_id` text NOT NULL,
	`status` text NOT NULL,
	`started_on` text NOT NULL,
	`ended_on` text,
	`planned_start_on` text,
	`planned_end_on` text,
	`reason` text,
	`credits` text NOT NULL,
	`remarks` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`student_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`program_id`) REFERENCES `training_programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`revision_id`) REFERENCES `training_revisions`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `training_enrollments_status` ON `training_enrollments` (`status`,`id`);
--> statement-breakpoint
CREATE INDEX `training_enrollments_program` ON `training_enrollments` (`program_id`,`id`);
--> statement-breakpoint
CREATE INDEX `training_enrollments_student` ON `training_enrollments` (`student_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `training_enrollments_open` ON `training_enrollments` (`student_id`,`program_id`) WHERE status in ('active', 'suspended');
--> statement-breakpoint
CREATE INDEX `training_enrollments_open_program` ON `training_enrollments` (`program_id`,`student_id`) WHERE status in ('active', 'suspended');
--> statement-breakpoint
CREATE TABLE `training_exams` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text,
	`sitting` integer,
	`taken_on` text NOT NULL,
	`percent` integer,
	`passed` integer NOT NULL,
	`examiner` text,
	`enrollment_id` text NOT NULL,
	`student_id` text NOT NULL,
	`remarks` text,
	`status` text NOT NULL,
	`void_reason` text,
	`voided_at` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`enrollment_id`) REFERENCES `training_enrollments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`student_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `training_exams_enrollment` ON `training_exams` (`enrollment_id`,`taken_on`,`id`);
--> statement-breakpoint
CREATE INDEX `training_exams_student` ON `training_exams` (`student_id`,`id`);
--> statement-breakpoint
CREATE TABLE `training_ground_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`lesson_id` text NOT NULL,
	`instructor_id` text NOT NULL,
	`held_on` text NOT NULL,
	`minutes` integer NOT NULL,
	`enrollment_id` text NOT NULL,
	`student_id` text NOT NULL,
	`remarks` text,
	`status` text NOT NULL,
	`void_reason` text,
	`voided_at` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`lesson_id`) REFERENCES `training_lessons`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`instructor_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`enrollment_id`) REFERENCES `training_enrollments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`student_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `training_ground_sessions_enrollment` ON `training_ground_sessions` (`enrollment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `training_ground_sessions_student` ON `training_ground_sessions` (`student_id`,`id`);
--> statement-breakpoint
CREATE INDEX `training_ground_sessions_instructor` ON `training_ground_sessions` (`instructor_id`,`id`);
--> statement-breakpoint
CREATE INDEX `training_ground_sessions_lesson` ON `training_ground_sessions` (`lesson_id`);
--> statement-breakpoint
CREATE TABLE `training_items` (
	`id` text PRIMARY KEY NOT NULL,
	`revision_id` text NOT NULL,
	`lesson_id` text NOT NULL,
	`position` integer NOT NULL,
	`lesson_code` text NOT NULL,
	`code` text NOT NULL,
	`name` text NOT NULL,
	`scale` text NOT NULL,
	`milestone` text,
	FOREIGN KEY (`revision_id`) REFERENCES `training_revisions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`lesson_id`) REFERENCES `training_lessons`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `training_items_lesson` ON `training_items` (`lesson_id`,`position`);
--> statement-breakpoint
CREATE UNIQUE INDEX `training_items_code` ON `training_items` (`revision_id`,`lesson_code`,`code`);
--> statement-breakpoint
CREATE TABLE `training_lesson_records` (
	`id` text PRIMARY KEY NOT NULL,
	`lesson_id` text NOT NULL,
	`flight_id` text,
	`instructor_id` text NOT NULL,
	`signed_by_instructor` integer NOT NULL,
	`signed_at` text NOT NULL,
	`instructor_notes` text,
	`acknowledged_at` text,
	`enrollment_id` text NOT NULL,
	`student_id` text NOT NULL,
	`remarks` text,
	`status` text NOT NULL,
	`void_reason` text,
	`voided_at` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`lesson_id`) REFERENCES `training_lessons`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`flight_id`) REFERENCES `flights`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`instructor_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`enrollment_id`) REFERENCES `training_enrollments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`student_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `training_lesson_records_signed` ON `training_lesson_records` (`signed_at`,`id`);
--> statement-breakpoint
CREATE INDEX `training_lesson_records_student` ON `training_lesson_records` (`student_id`,`signed_at`,`id`);
--> statement-breakpoint
CREATE INDEX `training_lesson_records_enrollment` ON `training_lesson_records` (`enrollment_id`,`signed_at`,`id`);
--> statement-breakpoint
CREATE INDEX `training_lesson_records_instructor` ON `training_lesson_records` (`instructor_id`,`signed_at`,`id`);
--> statement-breakpoint
CREATE INDEX `training_lesson_records_lesson` ON `training_lesson_records` (`lesson_id`);
--> statement-breakpoint
CREATE INDEX `training_lesson_records_flight` ON `training_lesson_records` (`flight_id`) WHERE "training_lesson_records"."flight_id" is not null;
--> statement-breakpoint
CREATE TABLE `training_lessons` (
	`id` text PRIMARY KEY NOT NULL,
	`revision_id` text NOT NULL,
	`position` integer NOT NULL,
	`code` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`phase` text,
	`requires` text NOT NULL,
	FOREIGN KEY (`revision_id`) REFERENCES `training_revisions`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `training_lessons_position` ON `training_lessons` (`revision_id`,`position`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `training_lessons_code` ON `training_lessons` (`revision_id`,`code`);
--> statement-breakpoint
CREATE TABLE `training_programs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);

--> statement-breakpoint
CREATE INDEX `training_programs_name` ON `training_programs` (`name`,`id`);
--> statement-breakpoint
CREATE TABLE `training_revisions` (
	`id` text PRIMARY KEY NOT NULL,
	`program_id` text NOT NULL,
	`number` integer NOT NULL,
	`status` text NOT NULL,
	`legal_basis` text NOT NULL,
	`effective_from` text NOT NULL,
	`skill_test` integer NOT NULL,
	`theory` text,
	`subjects` text NOT NULL,
	`minima` text NOT NULL,
	`aircraft_classes` text,
	`scales` text NOT NULL,
	`phases` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`published_at` text,
	`frozen_at` text,
	`retired_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `training_programs`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE UNIQUE INDEX `training_revisions_number` ON `training_revisions` (`program_id`,`number`);
--> statement-breakpoint
CREATE TABLE `training_signoffs` (
	`id` text PRIMARY KEY NOT NULL,
	`program_id` text NOT NULL,
	`item_id` text NOT NULL,
	`lesson_record_id` text,
	`flight_id` text,
	`instructor_id` text NOT NULL,
	`signed_by_instructor` integer DEFAULT false NOT NULL,
	`signed_at` text NOT NULL,
	`grade` text NOT NULL,
	`passed` integer NOT NULL,
	`acknowledged_at` text,
	`enrollment_id` text NOT NULL,
	`student_id` text NOT NULL,
	`remarks` text,
	`status` text NOT NULL,
	`void_reason` text,
	`voided_at` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `training_programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`item_id`) REFERENCES `training_items`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`lesson_record_id`) REFERENCES `training_lesson_records`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`flight_id`) REFERENCES `flights`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`instructor_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`enrollment_id`) REFERENCES `training_enrollments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`student_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `training_signoffs_signed` ON `training_signoffs` (`signed_at`,`id`);
--> statement-breakpoint
CREATE INDEX `training_signoffs_program` ON `training_signoffs` (`program_id`,`signed_at`,`id`);
--> statement-breakpoint
CREATE INDEX `training_signoffs_student` ON `training_signoffs` (`student_id`,`signed_at`,`id`);
--> statement-breakpoint
CREATE INDEX `training_signoffs_instructor` ON `training_signoffs` (`instructor_id`,`signed_at`,`id`);
--> statement-breakpoint
CREATE INDEX `training_signoffs_enrollment` ON `training_signoffs` (`enrollment_id`,`item_id`,`signed_at`,`id`);
--> statement-breakpoint
CREATE INDEX `training_signoffs_item` ON `training_signoffs` (`item_id`);
--> statement-breakpoint
CREATE INDEX `training_signoffs_flight` ON `training_signoffs` (`flight_id`) WHERE "training_signoffs"."flight_id" is not null;
--> statement-breakpoint
CREATE INDEX `training_signoffs_lesson_record` ON `training_signoffs` (`lesson_record_id`) WHERE "training_signoffs"."lesson_record_id" is not null;
--> statement-breakpoint
CREATE INDEX `training_signoffs_updated` ON `training_signoffs` (`updated_at`,`id`);
--> statement-breakpoint
CREATE TABLE `logbook_openings` (
	`id` text PRIMARY KEY NOT NULL,
	`as_of` text,
	`single_pilot_se_minutes` integer DEFAULT 0 NOT NULL,
	`single_pilot_me_minutes` integer DEFAULT 0 NOT NULL,
	`multi_pilot_minutes` integer DEFAULT 0 NOT NULL,
	`total_minutes` integer DEFAULT 0 NOT NULL,
	`day_landings` integer DEFAULT 0 NOT NULL,
	`night_landings` integer DEFAULT 0 NOT NULL,
	`night_minutes` integer DEFAULT 0 NOT NULL,
	`ifr_minutes` integer DEFAULT 0 NOT NULL,
	`pic_minutes` integer DEFAULT 0 NOT NULL,
	`co_pilot_minutes` integer DEFAULT 0 NOT NULL,
	`dual_minutes` integer DEFAULT 0 NOT NULL,
	`instructor_minutes` integer DEFAULT 0 NOT NULL,
	`simulator_minutes` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE TABLE `finance_charges` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`flight_id` text,
	`enrollment_id` text,
	`package_id` text,
	`rate_id` text,
	`invoice_id` text,
	`reverses_id` text,
	`reduces_id` text,
	`reason` text,
	`description` text NOT NULL,
	`quantity` integer NOT NULL,
	`unit` text NOT NULL,
	`unit_price_minor` integer NOT NULL,
	`price_per` integer NOT NULL,
	`currency` text NOT NULL,
	`vat_category` text NOT NULL,
	`vat_rate` integer NOT NULL,
	`vat_reason` text,
	`vat_reason_code` text,
	`net_minor` integer NOT NULL,
	`on` text NOT NULL,
	`created_by` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`flight_id`) REFERENCES `flights`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`enrollment_id`) REFERENCES `training_enrollments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`package_id`) REFERENCES `finance_packages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`rate_id`) REFERENCES `finance_rates`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `finance_charges_on` ON `finance_charges` (`on`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_charges_status` ON `finance_charges` (`status`,`on`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_charges_person` ON `finance_charges` (`person_id`,`on`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_charges_person_status` ON `finance_charges` (`person_id`,`status`,`on`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_charges_flight` ON `finance_charges` (`flight_id`,`on`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_charges_package` ON `finance_charges` (`package_id`,`id`) WHERE "finance_charges"."package_id" is not null;
--> statement-breakpoint
CREATE INDEX `finance_charges_invoice` ON `finance_charges` (`invoice_id`) WHERE "finance_charges"."invoice_id" is not null;
--> statement-breakpoint
CREATE INDEX `finance_charges_rate` ON `finance_charges` (`rate_id`,`on`);
--> statement-breakpoint
CREATE INDEX `finance_charges_reverses` ON `finance_charges` (`reverses_id`) WHERE "finance_charges"."reverses_id" is not null;
--> statement-breakpoint
CREATE INDEX `finance_charges_reduces` ON `finance_charges` (`reduces_id`) WHERE "finance_charges"."reduces_id" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX `finance_charges_once` ON `finance_charges` (`flight_id`,`kind`) WHERE flight_id is not null and reverses_id is null and status = 'open';
--> statement-breakpoint
CREATE TABLE `finance_customers` (
	`id` text PRIMARY KEY NOT NULL,
	`audience` text,
	`company` text,
	`vat_id` text,
	`register_number` text,
	`buyer_reference` text,
	`customer_number` text,
	`language` text,
	`email` text,
	`street` text,
	`postcode` text,
	`city` text,
	`country` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE UNIQUE INDEX `finance_customers_number` ON `finance_customers` (`customer_number`);
--> statement-breakpoint
CREATE TABLE `finance_flights` (
	`flight_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`missing` text NOT NULL,
	`named_payer_id` text,
	`payer_id` text,
	`on` text,
	`reason` text,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`flight_id`) REFERENCES `flights`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`named_payer_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payer_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `finance_flights_unbilled` ON `finance_flights` (`on`,`flight_id`) WHERE status = 'unbilled';
--> statement-breakpoint
CREATE INDEX `finance_flights_payer` ON `finance_flights` (`payer_id`);
--> statement-breakpoint
CREATE INDEX `finance_flights_named_payer` ON `finance_flights` (`named_payer_id`) WHERE "finance_flights"."named_payer_id" is not null;
--> statement-breakpoint
CREATE TABLE `finance_packages` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`name` text NOT NULL,
	`uses` text NOT NULL,
	`aircraft_id` text,
	`icao_type` text,
	`quantity` integer NOT NULL,
	`remaining` integer NOT NULL,
	`returned` integer DEFAULT 0 NOT NULL,
	`price_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`vat_category` text NOT NULL,
	`vat_rate` integer NOT NULL,
	`vat_reason` text,
	`vat_reason_code` text,
	`valid_from` text NOT NULL,
	`valid_until` text,
	`voided_at` text,
	`ended_by` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "finance_packages_remaining" CHECK(remaining between 0 and quantity)
);

--> statement-breakpoint
CREATE INDEX `finance_packages_person` ON `finance_packages` (`person_id`,`id`);
--> statement-breakpoint
CREATE TABLE `finance_rates` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`fuel` text,
	`aircraft_id` text,
	`icao_type` text,
	`instructor_id` text,
	`place` text,
	`program_id` text,
	`audience` text,
	`person_id` text,
	`description` text,
	`price_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`vat_category` text NOT NULL,
	`vat_rate` integer NOT NULL,
	`vat_reason` text,
	`vat_reason_code` text,
	`valid_from` text NOT NULL,
	`valid_until` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`instructor_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`program_id`) REFERENCES `training_programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `finance_rates_from` ON `finance_rates` (`valid_from`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_rates_choice` ON `finance_rates` (`kind`,case when person_id is null then '' else person_id end,`valid_from`);
--> statement-breakpoint
CREATE TABLE `finance_settings` (
	`id` integer PRIMARY KEY NOT NULL,
	`legal_name` text,
	`street` text,
	`postcode` text,
	`city` text,
	`country` text,
	`email` text,
	`phone` text,
	`vat_id` text,
	`tax_number` text,
	`register_number` text,
	`iban` text,
	`bic` text,
	`vat_category` text NOT NULL,
	`vat_rate` integer NOT NULL,
	`vat_reason` text,
	`vat_reason_code` text,
	`small_business` integer DEFAULT false NOT NULL,
	`payment_days` integer NOT NULL,
	`reminder_days` text DEFAULT '[7,21,35]' NOT NULL,
	`invoice_series` text NOT NULL,
	`credit_note_series` text NOT NULL,
	`language` text DEFAULT 'en' NOT NULL,
	`balance_limit_minor` integer DEFAULT 0 NOT NULL,
	`exchange_rates` text DEFAULT '[]' NOT NULL,
	`updated_at` text NOT NULL
);

--> statement-breakpoint
CREATE TABLE `finance_invoice_lines` (
	`id` text PRIMARY KEY NOT NULL,
	`invoice_id` text NOT NULL,
	`position` integer NOT NULL,
	`charge_id` text,
	`credits_line_id` text,
	`description` text NOT NULL,
	`on` text NOT NULL,
	`quantity` integer NOT NULL,
	`unit` text NOT NULL,
	`unit_price_minor` integer NOT NULL,
	`price_per` integer NOT NULL,
	`vat_category` text NOT NULL,
	`vat_rate` integer NOT NULL,
	`vat_reason` text,
	`vat_reason_code` text,
	`net_minor` integer NOT NULL,
	`vat_minor` integer NOT NULL,
	`exchange_rate` text,
	`national_vat_minor` integer,
	`returned` integer,
	FOREIGN KEY (`invoice_id`) REFERENCES `finance_invoices`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `finance_invoice_lines_invoice` ON `finance_invoice_lines` (`invoice_id`,`position`);
--> statement-breakpoint
CREATE INDEX `finance_invoice_lines_charge` ON `finance_invoice_lines` (`charge_id`) WHERE "finance_invoice_lines"."charge_id" is not null;
--> statement-breakpoint
CREATE INDEX `finance_invoice_lines_credits` ON `finance_invoice_lines` (`credits_line_id`) WHERE "finance_invoice_lines"."credits_line_id" is not null;
--> statement-breakpoint
CREATE TABLE `finance_invoices` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`person_id` text NOT NULL,
	`credits_id` text,
	`cancels_id` text,
	`currency` text NOT NULL,
	`note` text,
	`payment_days` integer,
	`deliver_to` text,
	`number` text,
	`issued_on` text,
	`issued_date` text,
	`due_on` text,
	`seller` text,
	`buyer` text,
	`language` text,
	`net_minor` integer NOT NULL,
	`vat_minor` integer NOT NULL,
	`gross_minor` integer NOT NULL,
	`vat` text NOT NULL,
	`national_currency` text,
	`exchange_rate` text,
	`national_vat_minor` integer,
	`paid_minor` integer NOT NULL,
	`credited_minor` integer NOT NULL,
	`prepaid_minor` integer DEFAULT 0 NOT NULL,
	`paid_on` text,
	`voided_at` text,
	`void_reason` text,
	`reminders` integer NOT NULL,
	`changes_on` text,
	`created_by` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`credits_id`) REFERENCES `finance_invoices`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`cancels_id`) REFERENCES `finance_invoices`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "finance_invoices_total" CHECK(gross_minor = net_minor + vat_minor)
);

--> statement-breakpoint
CREATE UNIQUE INDEX `finance_invoices_number_unique` ON `finance_invoices` (`number`);
--> statement-breakpoint
CREATE INDEX `finance_invoices_updated` ON `finance_invoices` (`updated_at`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_invoices_issued` ON `finance_invoices` (case when issued_on is null then '' else issued_on end,`id`);
--> statement-breakpoint
CREATE INDEX `finance_invoices_status` ON `finance_invoices` (`status`,case when issued_on is null then '' else issued_on end,`id`);
--> statement-breakpoint
CREATE INDEX `finance_invoices_person` ON `finance_invoices` (`person_id`,case when issued_on is null then '' else issued_on end,`id`);
--> statement-breakpoint
CREATE INDEX `finance_invoices_kind` ON `finance_invoices` (`kind`,case when issued_on is null then '' else issued_on end,`id`);
--> statement-breakpoint
CREATE INDEX `finance_invoices_credits` ON `finance_invoices` (`credits_id`) WHERE "finance_invoices"."credits_id" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX `finance_invoices_cancels` ON `finance_invoices` (`cancels_id`);
--> statement-breakpoint
CREATE INDEX `finance_invoices_national` ON `finance_invoices` (`issued_date`) WHERE national_currency is not null;
--> statement-breakpoint
CREATE INDEX `finance_invoices_changes` ON `finance_invoices` (`changes_on`) WHERE changes_on is not null;
--> statement-breakpoint
CREATE INDEX `finance_invoices_open` ON `finance_invoices` (`person_id`,`currency`,`due_on`,`id`) WHERE status in ('sent', 'overdue');
--> statement-breakpoint
CREATE TABLE `finance_numbers` (
	`series` text NOT NULL,
	`year` integer NOT NULL,
	`last` integer NOT NULL,
	PRIMARY KEY(`series`, `year`)
);

--> statement-breakpoint
CREATE TABLE `finance_allocations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`invoice_id` text NOT NULL,
	`payment_id` text,
	`credit_note_id` text,
	`amount_minor` integer NOT NULL,
	`on` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`invoice_id`) REFERENCES `finance_invoices`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `finance_payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`credit_note_id`) REFERENCES `finance_invoices`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `finance_allocations_invoice` ON `finance_allocations` (`invoice_id`);
--> statement-breakpoint
CREATE INDEX `finance_allocations_payment` ON `finance_allocations` (`payment_id`) WHERE "finance_allocations"."payment_id" is not null;
--> statement-breakpoint
CREATE INDEX `finance_allocations_credit_note` ON `finance_allocations` (`credit_note_id`) WHERE "finance_allocations"."credit_note_id" is not null;
--> statement-breakpoint
CREATE TABLE `finance_payments` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`currency` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`allocated_minor` integer NOT NULL,
	`refunded_minor` integer NOT NULL,
	`method` text NOT NULL,
	`received_on` text NOT NULL,
	`reference` text,
	`note` text,
	`created_by` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "finance_payments_used" CHECK(allocated_minor >= 0 and refunded_minor >= 0 and allocated_minor + refunded_minor <= amount_minor)
);

--> statement-breakpoint
CREATE INDEX `finance_payments_received` ON `finance_payments` (`received_on`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_payments_person` ON `finance_payments` (`person_id`,`received_on`,`id`);
--> statement-breakpoint
CREATE TABLE `finance_refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`payment_id` text,
	`credit_note_id` text,
	`currency` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`method` text NOT NULL,
	`refunded_on` text NOT NULL,
	`reason` text NOT NULL,
	`created_by` text,
	`created_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `finance_payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`credit_note_id`) REFERENCES `finance_invoices`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `finance_refunds_payment` ON `finance_refunds` (`payment_id`,`id`) WHERE "finance_refunds"."payment_id" is not null;
--> statement-breakpoint
CREATE INDEX `finance_refunds_credit_note` ON `finance_refunds` (`credit_note_id`) WHERE "finance_refunds"."credit_note_id" is not null;
--> statement-breakpoint
CREATE TABLE `finance_balances` (
	`person_id` text NOT NULL,
	`currency` text NOT NULL,
	`balance_minor` integer NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`person_id`, `currency`),
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `finance_balances_owed` ON `finance_balances` (`balance_minor`,`person_id`,`currency`) WHERE balance_minor > 0;
--> statement-breakpoint
CREATE TABLE `finance_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`on` text NOT NULL,
	`posting` text NOT NULL,
	`person_id` text NOT NULL,
	`invoice_id` text,
	`payment_id` text,
	`refund_id` text,
	`account` text NOT NULL,
	`vat_category` text,
	`vat_rate` integer,
	`currency` text NOT NULL,
	`debit_minor` integer NOT NULL,
	`credit_minor` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `finance_invoices`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `finance_payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`refund_id`) REFERENCES `finance_refunds`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "finance_entries_sides" CHECK(debit_minor >= 0 and credit_minor >= 0 and (debit_minor = 0 or credit_minor = 0))
);

--> statement-breakpoint
CREATE INDEX `finance_entries_on` ON `finance_entries` (`on`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_entries_person` ON `finance_entries` (`person_id`,`account`,`on`,`id`);
--> statement-breakpoint
CREATE TABLE `finance_months` (
	`month` text NOT NULL,
	`currency` text NOT NULL,
	`issued_minor` integer NOT NULL,
	`credited_minor` integer NOT NULL,
	`voided_minor` integer NOT NULL,
	`collected_minor` integer NOT NULL,
	`refunded_minor` integer NOT NULL,
	`updated_at` text NOT NULL,
	`checked_at` text,
	PRIMARY KEY(`month`, `currency`)
);

--> statement-breakpoint
CREATE TABLE `finance_vat_months` (
	`month` text NOT NULL,
	`currency` text NOT NULL,
	`vat_category` text NOT NULL,
	`vat_rate` integer NOT NULL,
	`net_minor` integer NOT NULL,
	`vat_minor` integer NOT NULL,
	PRIMARY KEY(`month`, `currency`, `vat_category`, `vat_rate`)
);

--> statement-breakpoint
CREATE TABLE `finance_document_chunks` (
	`document_id` text NOT NULL,
	`position` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`document_id`, `position`)
);

--> statement-breakpoint
CREATE TABLE `finance_documents` (
	`id` text PRIMARY KEY NOT NULL,
	`invoice_id` text NOT NULL,
	`format` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`chunk_digests` blob NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`invoice_id`) REFERENCES `finance_invoices`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE UNIQUE INDEX `finance_documents_invoice` ON `finance_documents` (`invoice_id`,`format`);
--> statement-breakpoint
CREATE TABLE `revalidation_looks` (
	`id` integer PRIMARY KEY NOT NULL,
	`next_on` text NOT NULL
);

--> statement-breakpoint
CREATE TABLE `revalidation_notices` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`kind` text NOT NULL,
	`until` text NOT NULL,
	`told_on` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE UNIQUE INDEX `revalidation_notices_person` ON `revalidation_notices` (`person_id`,`kind`);
--> statement-breakpoint
CREATE TABLE `planning_absences` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text,
	`from_on` text NOT NULL,
	`until_on` text NOT NULL,
	`reason` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `planning_absences_person` ON `planning_absences` (`person_id`,`id`);
--> statement-breakpoint
CREATE TABLE `planning_hours` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text,
	`weekday` integer NOT NULL,
	`from_time` text NOT NULL,
	`to_time` text NOT NULL,
	`from_on` text,
	`until_on` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `planning_hours_person` ON `planning_hours` (`person_id`,`id`);
--> statement-breakpoint
CREATE TABLE `planning_session_resources` (
	`session_id` text NOT NULL,
	`position` integer NOT NULL,
	`type` text NOT NULL,
	`resource_id` text NOT NULL,
	`start_at` text NOT NULL,
	`end_at` text NOT NULL,
	`blocks` integer NOT NULL,
	PRIMARY KEY(`session_id`, `position`),
	FOREIGN KEY (`session_id`) REFERENCES `planning_sessions`(`id`) ON UPDATE no action ON DELETE cascade
);

--> statement-breakpoint
CREATE INDEX `planning_session_resources_start` ON `planning_session_resources` (`resource_id`,`start_at`,`session_id`);
--> statement-breakpoint
CREATE INDEX `planning_session_resources_blocking` ON `planning_session_resources` (`resource_id`,`start_at`,`end_at`,`type`,`session_id`) WHERE blocks;
--> statement-breakpoint
CREATE TABLE `planning_rooms` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`seats` integer,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `planning_rooms_name_unique` ON `planning_rooms` (`name`);
--> statement-breakpoint
CREATE TABLE `planning_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`title` text,
	`notes` text,
	`start_at` text NOT NULL,
	`end_at` text NOT NULL,
	`aircraft_id` text,
	`instructor_id` text,
	`room_id` text,
	`night` integer DEFAULT false NOT NULL,
	`lesson_id` text,
	`series_id` text,
	`sequence` integer NOT NULL,
	`flight_id` text,
	`cancellation_reason` text,
	`cancellation_note` text,
	`cancelled_late` integer DEFAULT false NOT NULL,
	`cancelled_at` text,
	`was_request` integer DEFAULT false NOT NULL,
	`created_by` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`instructor_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`room_id`) REFERENCES `planning_rooms`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `planning_sessions_start` ON `planning_sessions` (`start_at`,`id`);
--> statement-breakpoint
CREATE INDEX `planning_sessions_kind` ON `planning_sessions` (`kind`,`start_at`,`id`);
--> statement-breakpoint
CREATE INDEX `planning_sessions_status` ON `planning_sessions` (`status`,`start_at`,`id`);
--> statement-breakpoint
CREATE INDEX `planning_sessions_room` ON `planning_sessions` (`room_id`,`start_at`,`id`) WHERE "planning_sessions"."room_id" is not null;
--> statement-breakpoint
CREATE INDEX `planning_sessions_series` ON `planning_sessions` (`series_id`,`start_at`,`id`) WHERE "planning_sessions"."series_id" is not null;
--> statement-breakpoint
CREATE INDEX `planning_sessions_instructor` ON `planning_sessions` (`instructor_id`,`start_at`,`id`);
--> statement-breakpoint
CREATE INDEX `planning_sessions_aircraft` ON `planning_sessions` (`aircraft_id`,`start_at`,`id`);
--> statement-breakpoint
CREATE INDEX `planning_sessions_updated` ON `planning_sessions` (`updated_at`,`id`);
--> statement-breakpoint
CREATE INDEX `planning_sessions_flight` ON `planning_sessions` (`flight_id`) WHERE "planning_sessions"."flight_id" is not null;
--> statement-breakpoint
CREATE TABLE `planning_settings` (
	`id` integer PRIMARY KEY NOT NULL,
	`aircraft_buffer_minutes` integer NOT NULL,
	`instructor_buffer_minutes` integer NOT NULL,
	`duty_day_minutes` integer,
	`duty_week_minutes` integer,
	`students_book` integer NOT NULL,
	`confirm_requests` integer NOT NULL,
	`min_hours_ahead` integer,
	`max_days_ahead` integer,
	`max_open_bookings` integer,
	`cancel_notice_hours` integer NOT NULL,
	`offer_hours` integer NOT NULL,
	`buffers` text NOT NULL,
	`opening_hours` text NOT NULL,
	`availability` text NOT NULL,
	`out_of_service` text NOT NULL,
	`duty` text NOT NULL,
	`lesson_prerequisites` text NOT NULL,
	`updated_at` text NOT NULL
);

--> statement-breakpoint
CREATE TABLE `planning_wishes` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`icao_type` text,
	`instructor_id` text,
	`from_at` text NOT NULL,
	`until_at` text NOT NULL,
	`minutes` integer NOT NULL,
	`status` text NOT NULL,
	`offered_until` text,
	`offered_start_at` text,
	`offered_end_at` text,
	`offered_aircraft_id` text,
	`offered_instructor_id` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`instructor_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`offered_aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`offered_instructor_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `planning_wishes_status` ON `planning_wishes` (`status`,`id`);
--> statement-breakpoint
CREATE INDEX `planning_wishes_person` ON `planning_wishes` (`person_id`,`id`);
--> statement-breakpoint
CREATE TABLE `evidence_chunks` (
	`pack_id` text NOT NULL,
	`part` integer NOT NULL,
	`position` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`pack_id`, `part`, `position`),
	FOREIGN KEY (`pack_id`) REFERENCES `evidence_packs`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE TABLE `evidence_packs` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`person_id` text,
	`as_of` text,
	`failure` text,
	`period_from` text,
	`period_to` text,
	`issued_at` text,
	`manifest` text,
	`signature` text,
	`key_id` text,
	`manifest_sha256` text,
	`sha256` text,
	`size_bytes` integer,
	`superseded_by` text,
	`content_removed_at` text,
	`requested_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`key_id`) REFERENCES `signing_keys`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`superseded_by`) REFERENCES `evidence_packs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "evidence_packs_subject" CHECK(("evidence_packs"."person_id" is null) <> ("evidence_packs"."as_of" is null))
);

--> statement-breakpoint
CREATE INDEX `evidence_packs_type` ON `evidence_packs` (`type`,`id`);
--> statement-breakpoint
CREATE INDEX `evidence_packs_status` ON `evidence_packs` (`status`,`id`);
--> statement-breakpoint
CREATE INDEX `evidence_packs_person` ON `evidence_packs` (`person_id`,`id`) WHERE "evidence_packs"."person_id" is not null;
--> statement-breakpoint
CREATE INDEX `evidence_packs_updated` ON `evidence_packs` (`updated_at`,`id`);
--> statement-breakpoint
CREATE TABLE `evidence_parts` (
	`pack_id` text NOT NULL,
	`position` integer NOT NULL,
	`name` text NOT NULL,
	`media_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`crc32` integer NOT NULL,
	`chunk_digests` blob,
	PRIMARY KEY(`pack_id`, `position`),
	FOREIGN KEY (`pack_id`) REFERENCES `evidence_packs`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`public_key` text NOT NULL,
	`sealed_private_key` text NOT NULL,
	`created_at` text NOT NULL,
	`retired_at` text
);

--> statement-breakpoint
CREATE UNIQUE INDEX `signing_keys_current` ON `signing_keys` ((1)) WHERE retired_at is null;
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`allowed_networks` text,
	`token_hash` text NOT NULL,
	`hint` text NOT NULL,
	`previous_hash` text,
	`previous_until` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text,
	`revoked_at` text,
	`last_used_at` text,
	`last_used_address` text
);

--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_token_hash_unique` ON `api_keys` (`token_hash`);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_previous_hash_unique` ON `api_keys` (`previous_hash`);
--> statement-breakpoint
CREATE TABLE `replays` (
	`id` text PRIMARY KEY NOT NULL,
	`since` text NOT NULL,
	`until` text NOT NULL,
	`type` text,
	`endpoint_id` text,
	`only` text NOT NULL,
	`status` text NOT NULL,
	`position` text,
	`position_at` text,
	`begins_at` text,
	`considered` integer NOT NULL,
	`queued` integer NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`finished_at` text
);

--> statement-breakpoint
CREATE UNIQUE INDEX `replays_running` ON `replays` (`status`) WHERE "replays"."status" = 'running';
--> statement-breakpoint
CREATE TABLE `notification_preferences` (
	`user_id` text PRIMARY KEY NOT NULL,
	`medical_expiring` integer NOT NULL,
	`compliance_expiring` integer NOT NULL,
	`maintenance_alert` integer NOT NULL,
	`planning` integer DEFAULT true NOT NULL,
	`invoice` integer DEFAULT true NOT NULL,
	`updated_at` text NOT NULL
);

--> statement-breakpoint
CREATE TABLE `directory_profiles` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`subject_id` text NOT NULL,
	`published` integer NOT NULL,
	`fields` text NOT NULL,
	`headline` text,
	`description` text,
	`website` text,
	`email` text,
	`phone` text,
	`languages` text NOT NULL,
	`place` text,
	`country` text,
	`latitude` integer,
	`longitude` integer,
	`consented_by` text,
	`consented_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `directory_profiles_subject` ON `directory_profiles` (`type`,`subject_id`);
--> statement-breakpoint
-- The types and requirements that every school has, by Part-FCL, Part-MED and Part-ML.
INSERT INTO `compliance_types` (`id`, `key`, `name`, `subject`, `levels`, `validity_months`, `valid_until_required`, `warning_days`, `built_in`, `created_at`, `updated_at`) VALUES
	('01990000-0000-7000-8000-000000000001', 'medical', 'Medical certificate', 'person', '["class_1","class_2","lapl"]', NULL, 1, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000002', 'licence', 'Pilot licence', 'person', '["lapl","ppl","cpl","atpl"]', NULL, 0, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000003', 'sep', 'Class rating SEP', 'person', '[]', 24, 1, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000004', 'tmg', 'Class rating TMG', 'person', '[]', 24, 1, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000005', 'mep', 'Class rating MEP', 'person', '[]', 12, 1, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000006', 'ir', 'Instrument rating', 'person', '[]', 12, 1, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000007', 'night', 'Night rating', 'person', '[]', NULL, 0, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000008', 'fi', 'Flight instructor certificate', 'person', '[]', 36, 1, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000009', 'elp', 'Language proficiency', 'person', '["4","5","6"]', NULL, 1, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000010', 'radio', 'Radiotelephony certificate', 'person', '[]', NULL, 0, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000011', 'arc', 'Airworthiness review certificate', 'aircraft', '[]', 12, 1, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000012', 'cofa', 'Certificate of airworthiness', 'aircraft', '[]', NULL, 0, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000013', 'insurance', 'Insurance', 'aircraft', '[]', 12, 1, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000014', 'radio_licence', 'Aircraft radio licence', 'aircraft', '[]', NULL, 0, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000015', 'noise_certificate', 'Noise certificate', 'aircraft', '[]', NULL, 0, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000016', 'weighing', 'Weighing report', 'aircraft', '[]', NULL, 0, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000017', 'elt_battery', 'ELT battery', 'aircraft', '[]', NULL, 1, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000018', 'fstd_qualification', 'FSTD qualification certificate', 'aircraft', '[]', 12, 1, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000019', 'lapl_check', 'Proficiency check for the LAPL(A)', 'person', '[]', 24, 0, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000020', 'fi_seminar', 'Instructor refresher training', 'person', '[]', NULL, 0, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000021', 'fi_assessment', 'Assessment of competence of an instructor', 'person', '[]', NULL, 0, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000022', 'cri', 'Class rating instructor certificate', 'person', '[]', 36, 1, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000023', 'fe', 'Flight examiner certificate', 'person', '[]', 36, 1, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000024', 'aerobatic', 'Aerobatic rating', 'person', '[]', NULL, 0, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000025', 'towing', 'Towing rating', 'person', '["sailplane","banner"]', NULL, 0, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z');
--> statement-breakpoint
INSERT INTO `compliance_requirements` (`id`, `applies_to`, `any_of`, `levels`, `created_at`, `updated_at`) VALUES
	('01990000-0000-7000-8000-000000000101', 'student', '["medical"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000102', 'pilot', '["medical"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000103', 'pilot', '["licence"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000104', 'pilot', '["sep","tmg","mep"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000105', 'pilot', '["elp"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000106', 'instructor', '["medical"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000107', 'instructor', '["fi"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000108', 'aircraft', '["arc"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000109', 'aircraft', '["insurance"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000110', 'simulator', '["fstd_qualification"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z');
