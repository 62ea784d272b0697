ALTER TABLE `meta` ADD `zone_of_dates` text;
--> statement-breakpoint
ALTER TABLE `maintenance_items` ADD `last_done_corrected` text DEFAULT '{"hobbs":0,"tacho":0,"airframe_minutes":0,"landings":0}' NOT NULL;
--> statement-breakpoint
ALTER TABLE `work_orders` ADD `release_at` text;
--> statement-breakpoint
ALTER TABLE `work_orders` ADD `release_corrected` text DEFAULT '{"hobbs":0,"tacho":0,"airframe_minutes":0,"landings":0}' NOT NULL;
--> statement-breakpoint
UPDATE `meta` SET `zone_of_dates` = `time_zone`;
--> statement-breakpoint
-- Readings without a date are those of the time when they were entered, at the latest.
UPDATE `maintenance_items` SET `last_done_at` = `updated_at` WHERE `last_done_on` IS NULL
	AND coalesce(`last_done_hobbs`, `last_done_tacho`, `last_done_airframe_minutes`, `last_done_landings`) IS NOT NULL;
--> statement-breakpoint
-- Of a reading that somebody gave: what was corrected until it was entered, at the latest. Of others: until that day's end, in UTC.
UPDATE `maintenance_items` SET `last_done_corrected` = (
	SELECT json_object(
		'hobbs', cast(total(iif(`corrected_at` <= iif(json_type(`last_done_given`, '$.hobbs') IS NULL, ifnull(`last_done_at`, `last_done_on` || 'T23:59:59.999Z'), `updated_at`), `hobbs`, 0)) AS integer),
		'tacho', cast(total(iif(`corrected_at` <= iif(json_type(`last_done_given`, '$.tacho') IS NULL, ifnull(`last_done_at`, `last_done_on` || 'T23:59:59.999Z'), `updated_at`), `tacho`, 0)) AS integer),
		'airframe_minutes', cast(total(iif(`corrected_at` <= iif(json_type(`last_done_given`, '$.airframe_minutes') IS NULL, ifnull(`last_done_at`, `last_done_on` || 'T23:59:59.999Z'), `updated_at`), `airframe_minutes`, 0)) AS integer),
		'landings', cast(total(iif(`corrected_at` <= iif(json_type(`last_done_given`, '$.landings') IS NULL, ifnull(`last_done_at`, `last_done_on` || 'T23:59:59.999Z'), `updated_at`), `landings`, 0)) AS integer)
	) FROM `counter_corrections` WHERE `counter_corrections`.`aircraft_id` = `maintenance_items`.`aircraft_id`
) WHERE `aircraft_id` IN (SELECT `aircraft_id` FROM `counter_corrections`);
--> statement-breakpoint
UPDATE `work_orders` SET `release_corrected` = (
	SELECT json_object(
		'hobbs', cast(total(iif(`corrected_at` <= iif(json_type(`release_given`, '$.hobbs') IS NULL, min(`completed_at`, `release_on` || 'T23:59:59.999Z'), `completed_at`), `hobbs`, 0)) AS integer),
		'tacho', cast(total(iif(`corrected_at` <= iif(json_type(`release_given`, '$.tacho') IS NULL, min(`completed_at`, `release_on` || 'T23:59:59.999Z'), `completed_at`), `tacho`, 0)) AS integer),
		'airframe_minutes', cast(total(iif(`corrected_at` <= iif(json_type(`release_given`, '$.airframe_minutes') IS NULL, min(`completed_at`, `release_on` || 'T23:59:59.999Z'), `completed_at`), `airframe_minutes`, 0)) AS integer),
		'landings', cast(total(iif(`corrected_at` <= iif(json_type(`release_given`, '$.landings') IS NULL, min(`completed_at`, `release_on` || 'T23:59:59.999Z'), `completed_at`), `landings`, 0)) AS integer)
	) FROM `counter_corrections` WHERE `counter_corrections`.`aircraft_id` = `work_orders`.`aircraft_id`
) WHERE `status` = 'done' AND `aircraft_id` IN (SELECT `aircraft_id` FROM `counter_corrections`);
--> statement-breakpoint
-- The job assesses these items anew, since corrections no longer count as use.
UPDATE `maintenance_items` SET `changes_on` = '2000-01-01' WHERE `aircraft_id` IN (SELECT `aircraft_id` FROM `counter_corrections`);
