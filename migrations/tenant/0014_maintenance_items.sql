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
DROP INDEX `counter_postings_aircraft`;
--> statement-breakpoint
CREATE INDEX `counter_postings_aircraft` ON `counter_postings` (`aircraft_id`,`posted_at`);