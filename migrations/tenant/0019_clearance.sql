CREATE TABLE `clearance_rules` (
	`key` text PRIMARY KEY NOT NULL,
	`action` text NOT NULL,
	`updated_at` text NOT NULL
);

--> statement-breakpoint
DROP INDEX `flight_crew_person`;
--> statement-breakpoint
CREATE INDEX `flight_crew_person` ON `flight_crew` (`person_id`,`function`,`flight_id`);
--> statement-breakpoint
ALTER TABLE `flights` ADD `findings` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
CREATE INDEX `groundings_lifted` ON `groundings` (`aircraft_id`,`lifted_at`) WHERE lifted_at is not null;