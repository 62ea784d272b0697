CREATE TABLE `counter_corrections` (
	`seq` integer PRIMARY KEY NOT NULL,
	`aircraft_id` text NOT NULL,
	`hobbs` integer NOT NULL,
	`tacho` integer NOT NULL,
	`airframe_minutes` integer NOT NULL,
	`landings` integer NOT NULL,
	`corrected_at` text NOT NULL,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `counter_corrections_aircraft` ON `counter_corrections` (`aircraft_id`,`corrected_at`);
--> statement-breakpoint
ALTER TABLE `maintenance_items` ADD `last_done_at` text;
--> statement-breakpoint
ALTER TABLE `maintenance_items` ADD `last_done_given` text DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE `work_orders` ADD `release_given` text DEFAULT '{}' NOT NULL;
--> statement-breakpoint
INSERT INTO `counter_corrections` (`aircraft_id`, `hobbs`, `tacho`, `airframe_minutes`, `landings`, `corrected_at`)
SELECT `subject_id`,
	cast(replace(`payload` ->> '$.after.hobbs', '.', '') AS integer) - cast(replace(`payload` ->> '$.before.hobbs', '.', '') AS integer),
	cast(replace(`payload` ->> '$.after.tacho', '.', '') AS integer) - cast(replace(`payload` ->> '$.before.tacho', '.', '') AS integer),
	(`payload` ->> '$.after.airframe_minutes') - (`payload` ->> '$.before.airframe_minutes'),
	ifnull((`payload` ->> '$.after.landings') - (`payload` ->> '$.before.landings'), 0),
	`at`
FROM `audit_log`
WHERE `action` = 'aircraft.counters_corrected' AND `payload` IS NOT NULL AND `subject_id` IN (SELECT `id` FROM `aircraft`)
ORDER BY `seq`;
--> statement-breakpoint
UPDATE `aircraft` SET
	`opening_hobbs` = `opening_hobbs` - (SELECT sum(`hobbs`) FROM `counter_corrections` WHERE `aircraft_id` = `aircraft`.`id`),
	`opening_tacho` = `opening_tacho` - (SELECT sum(`tacho`) FROM `counter_corrections` WHERE `aircraft_id` = `aircraft`.`id`),
	`opening_airframe_minutes` = `opening_airframe_minutes` - (SELECT sum(`airframe_minutes`) FROM `counter_corrections` WHERE `aircraft_id` = `aircraft`.`id`),
	`opening_landings` = `opening_landings` - (SELECT sum(`landings`) FROM `counter_corrections` WHERE `aircraft_id` = `aircraft`.`id`)
WHERE `id` IN (SELECT `aircraft_id` FROM `counter_corrections`);
--> statement-breakpoint
UPDATE `maintenance_items` SET `last_done_given` = json_object('hobbs', `last_done_hobbs`, 'tacho', `last_done_tacho`,
	'airframe_minutes', `last_done_airframe_minutes`, 'landings', `last_done_landings`);
--> statement-breakpoint
UPDATE `work_orders` SET `release_given` = json_object('hobbs', `release_hobbs`, 'tacho', `release_tacho`,
	'airframe_minutes', `release_airframe_minutes`, 'landings', `release_landings`) WHERE `status` = 'done';
