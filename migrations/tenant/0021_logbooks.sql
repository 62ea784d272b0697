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
ALTER TABLE `flight_crew` ADD `logged_at` text;
--> statement-breakpoint
UPDATE `flight_crew` SET `logged_at` = (SELECT `off_block_at` FROM `flights` WHERE `flights`.`id` = `flight_id` AND `flights`.`status` = 'approved');
--> statement-breakpoint
CREATE INDEX `flight_crew_logbook` ON `flight_crew` (`person_id`,`logged_at`,`flight_id`) WHERE logged_at is not null;
--> statement-breakpoint
CREATE INDEX `defects_flight` ON `defects` (`flight_id`);