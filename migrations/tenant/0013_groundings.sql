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