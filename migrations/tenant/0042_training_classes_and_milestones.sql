ALTER TABLE `training_items` ADD `milestone` text;
--> statement-breakpoint
ALTER TABLE `training_revisions` ADD `aircraft_classes` text;
--> statement-breakpoint
UPDATE `training_revisions` SET `aircraft_classes` = '["SEP","MEP","TMG","SET"]' WHERE `program_id` IN (SELECT `id` FROM `training_programs` WHERE `kind` IN ('ppl_a', 'lapl_a'));
--> statement-breakpoint
UPDATE `training_items` SET `milestone` = iif(`lesson_code` = '14', 'first_solo', 'first_solo_cross_country') WHERE `code` = '1' AND `lesson_code` IN ('14', '18S') AND `lesson_id` IN (SELECT `training_lessons`.`id` FROM `training_lessons` JOIN `training_revisions` ON `training_revisions`.`id` = `training_lessons`.`revision_id` JOIN `training_programs` ON `training_programs`.`id` = `training_revisions`.`program_id` WHERE `training_lessons`.`kind` = 'solo' AND `training_programs`.`kind` IN ('ppl_a', 'lapl_a'));
