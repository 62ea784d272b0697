DROP INDEX `flights_created_by`;
--> statement-breakpoint
CREATE INDEX `flights_created_by` ON `flights` (`created_by`,case when off_block_at is null then '' else off_block_at end,`id`,`status`,`aircraft_id`,workshop_remarks is not null);
--> statement-breakpoint
ALTER TABLE `flight_crew` ADD `off_block_at` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `flight_crew` ADD `status` text DEFAULT 'draft' NOT NULL;
--> statement-breakpoint
ALTER TABLE `flight_crew` ADD `aircraft_id` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `flight_crew` ADD `has_workshop_remarks` integer DEFAULT false NOT NULL;
--> statement-breakpoint
-- What `copyToCrew` copies.
UPDATE `flight_crew` SET `off_block_at` = ifnull(`f`.`off_block_at`, ''), `status` = `f`.`status`,
	`aircraft_id` = `f`.`aircraft_id`, `has_workshop_remarks` = `f`.`workshop_remarks` IS NOT NULL
FROM `flights` AS `f` WHERE `f`.`id` = `flight_crew`.`flight_id`;
--> statement-breakpoint
CREATE INDEX `flight_crew_listed` ON `flight_crew` (`person_id`,`off_block_at`,`flight_id`,`status`,`aircraft_id`,`has_workshop_remarks`);
--> statement-breakpoint
ALTER TABLE `flight_flyers` DROP COLUMN `off_block_at`;