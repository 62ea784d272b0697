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
CREATE INDEX `audit_log_subject` ON `audit_log` (`subject_id`,`seq`);--> statement-breakpoint
CREATE INDEX `audit_log_org` ON `audit_log` (`org_id`,`seq`) WHERE "audit_log"."org_id" is not null;--> statement-breakpoint
CREATE TABLE `intents` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`org_id` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `used_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`body_hash` text NOT NULL,
	`used_at` text NOT NULL,
	`status` integer,
	`answer` text
);
--> statement-breakpoint
CREATE INDEX `used_keys_used_at` ON `used_keys` (`used_at`);--> statement-breakpoint
CREATE TABLE `meta` (
	`only` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL,
	`data_key` text NOT NULL,
	`sealed_by` text NOT NULL
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
CREATE INDEX `deliveries_turn` ON `deliveries` (`endpoint_id`,`due_at`,`id`) WHERE "deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`due_at`) WHERE "deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `deliveries_leased` ON `deliveries` (`lease_until`) WHERE "deliveries"."status" = 'delivering';--> statement-breakpoint
CREATE INDEX `deliveries_event` ON `deliveries` (`event_id`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_endpoint` ON `deliveries` (`endpoint_id`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_ended` ON `deliveries` (`endpoint_id`,`status`,`id`) WHERE "deliveries"."finished_at" is not null;--> statement-breakpoint
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
	`data` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `events_type` ON `events` (`type`,`id`);--> statement-breakpoint
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
CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text,
	`types` text NOT NULL,
	`date_of_birth` text,
	`licence_number` text,
	`ratings` text NOT NULL,
	`user_id` text,
	`restricted_instructor` integer NOT NULL,
	`supervisor_id` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`supervisor_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `people_user_id_unique` ON `people` (`user_id`);--> statement-breakpoint
CREATE INDEX `people_name` ON `people` (`name`,`id`);--> statement-breakpoint
CREATE INDEX `people_supervisor` ON `people` (`supervisor_id`);--> statement-breakpoint
CREATE TABLE `aircraft` (
	`id` text PRIMARY KEY NOT NULL,
	`registration` text NOT NULL,
	`model` text NOT NULL,
	`icao_type` text,
	`class` text NOT NULL,
	`mtom_kg` integer,
	`seats` integer,
	`hourly_rate_minor` integer,
	`currency` text,
	`billing_basis` text NOT NULL,
	`status` text NOT NULL,
	`hobbs` integer NOT NULL,
	`tacho` integer NOT NULL,
	`airframe_minutes` integer NOT NULL,
	`opening_hobbs` integer NOT NULL,
	`opening_tacho` integer NOT NULL,
	`opening_airframe_minutes` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `aircraft_registration_unique` ON `aircraft` (`registration`);--> statement-breakpoint
CREATE TABLE `counter_postings` (
	`flight_id` text NOT NULL,
	`kind` text NOT NULL,
	`aircraft_id` text NOT NULL,
	`hobbs` integer NOT NULL,
	`tacho` integer NOT NULL,
	`airframe_minutes` integer NOT NULL,
	`posted_at` text NOT NULL,
	PRIMARY KEY(`flight_id`, `kind`),
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `counter_postings_aircraft` ON `counter_postings` (`aircraft_id`);--> statement-breakpoint
CREATE TABLE `flight_crew` (
	`flight_id` text NOT NULL,
	`position` integer NOT NULL,
	`person_id` text NOT NULL,
	`function` text NOT NULL,
	PRIMARY KEY(`flight_id`, `position`),
	FOREIGN KEY (`flight_id`) REFERENCES `flights`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `flight_crew_person` ON `flight_crew` (`person_id`,`flight_id`);--> statement-breakpoint
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
	`aircraft_id` text NOT NULL,
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
	`lesson` text,
	`remarks` text,
	`warnings` text NOT NULL,
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
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `flights_off_block` ON `flights` (`off_block_at`,`id`);--> statement-breakpoint
CREATE INDEX `flights_status_off_block` ON `flights` (`status`,`off_block_at`,`id`);--> statement-breakpoint
CREATE INDEX `flights_aircraft` ON `flights` (`aircraft_id`);--> statement-breakpoint
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
CREATE UNIQUE INDEX `api_keys_token_hash_unique` ON `api_keys` (`token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_previous_hash_unique` ON `api_keys` (`previous_hash`);--> statement-breakpoint
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