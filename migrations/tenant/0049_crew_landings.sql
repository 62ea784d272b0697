ALTER TABLE `flight_crew` ADD `day_landings` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `flight_crew` ADD `night_landings` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- The student's on instruction, else the pilot's, as `withLandings` shares them.
UPDATE `flight_crew` SET `day_landings` = `f`.`day_landings`, `night_landings` = `f`.`night_landings`
FROM `flights` AS `f`
WHERE `f`.`id` = `flight_crew`.`flight_id` AND (`f`.`day_landings` > 0 OR `f`.`night_landings` > 0)
	AND `flight_crew`.`position` = (
		SELECT `c`.`position` FROM `flight_crew` AS `c`
		WHERE `c`.`flight_id` = `f`.`id` AND `c`.`function` IN ('dual', 'spic', 'solo', 'pic', 'instructor')
		ORDER BY CASE `c`.`function` WHEN 'dual' THEN 1 WHEN 'spic' THEN 2 WHEN 'solo' THEN 3 WHEN 'pic' THEN 4 ELSE 5 END,
			`c`.`position` LIMIT 1);
