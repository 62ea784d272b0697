ALTER TABLE `aircraft` ADD `landings` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `aircraft` ADD `opening_landings` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `counter_postings` ADD `landings` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE `counter_postings` SET `landings` = coalesce((
	SELECT iif(`counter_postings`.`kind` = 'approval', 1, -1) * (`day_landings` + `night_landings`)
	FROM `flights` WHERE `flights`.`id` = `counter_postings`.`flight_id`), 0);
--> statement-breakpoint
UPDATE `aircraft` SET `landings` = coalesce((
	SELECT sum(`counter_postings`.`landings`) FROM `counter_postings`
	WHERE `counter_postings`.`aircraft_id` = `aircraft`.`id`), 0);
