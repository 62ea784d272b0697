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
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `groundings_open` ON `groundings` (`aircraft_id`,`id`) WHERE lifted_at is null;
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
CREATE INDEX `defects_aircraft_status` ON `defects` (`aircraft_id`,`status`,`id`);
--> statement-breakpoint
CREATE INDEX `defects_work_order` ON `defects` (`work_order_id`);
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
CREATE INDEX `maintenance_items_status` ON `maintenance_items` (`status`,`name`,`id`);
--> statement-breakpoint
CREATE INDEX `maintenance_items_aircraft` ON `maintenance_items` (`aircraft_id`,`name`,`id`);
--> statement-breakpoint
CREATE INDEX `maintenance_items_aircraft_status` ON `maintenance_items` (`aircraft_id`,`status`,`name`,`id`);
--> statement-breakpoint
CREATE INDEX `maintenance_items_changes_on` ON `maintenance_items` (`changes_on`) WHERE changes_on is not null;
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
	`release_licence_number` text,
	`release_on` text,
	`release_hobbs` integer,
	`release_tacho` integer,
	`release_airframe_minutes` integer,
	`release_landings` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `work_orders_status` ON `work_orders` (`status`,`id`);
--> statement-breakpoint
CREATE INDEX `work_orders_aircraft` ON `work_orders` (`aircraft_id`,`id`);
--> statement-breakpoint
CREATE INDEX `work_orders_aircraft_status` ON `work_orders` (`aircraft_id`,`status`,`id`);
--> statement-breakpoint
DROP INDEX `counter_postings_aircraft`;
--> statement-breakpoint
ALTER TABLE `counter_postings` ADD `landings` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX `counter_postings_aircraft` ON `counter_postings` (`aircraft_id`,`posted_at`);
--> statement-breakpoint
ALTER TABLE `aircraft` ADD `landings` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `aircraft` ADD `opening_landings` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE `counter_postings` SET `landings` = coalesce((
	SELECT iif(`counter_postings`.`kind` = 'approval', 1, -1) * (`day_landings` + `night_landings`)
	FROM `flights` WHERE `flights`.`id` = `counter_postings`.`flight_id`), 0);
--> statement-breakpoint
UPDATE `aircraft` SET `landings` = coalesce((
	SELECT sum(`counter_postings`.`landings`) FROM `counter_postings`
	WHERE `counter_postings`.`aircraft_id` = `aircraft`.`id`), 0);
