DROP INDEX `people_flying_updated`;
--> statement-breakpoint
DROP INDEX `people_pilots_updated`;
--> statement-breakpoint
DROP INDEX `people_instructor_updated`;
--> statement-breakpoint
ALTER TABLE `people` ADD `types_ever` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
UPDATE `people` SET `types_ever` = `types`;
--> statement-breakpoint
CREATE INDEX `people_flying_updated` ON `people` (`updated_at`,`id`) WHERE (instr("people"."types_ever", '"student"') > 0 or instr("people"."types_ever", '"pilot"') > 0 or instr("people"."types_ever", '"instructor"') > 0);
--> statement-breakpoint
CREATE INDEX `people_pilots_updated` ON `people` (`updated_at`,`id`) WHERE (instr("people"."types_ever", '"student"') > 0 or instr("people"."types_ever", '"pilot"') > 0);
--> statement-breakpoint
CREATE INDEX `people_instructor_updated` ON `people` (`updated_at`,`id`) WHERE (instr("people"."types_ever", '"instructor"') > 0);
--> statement-breakpoint
CREATE INDEX `work_orders_updated` ON `work_orders` (`updated_at`,`id`);
--> statement-breakpoint
CREATE INDEX `training_signoffs_flight` ON `training_signoffs` (`flight_id`);
--> statement-breakpoint
CREATE INDEX `training_signoffs_updated` ON `training_signoffs` (`updated_at`,`id`);
--> statement-breakpoint
CREATE INDEX `planning_sessions_updated` ON `planning_sessions` (`updated_at`,`id`);
--> statement-breakpoint
CREATE INDEX `evidence_packs_updated` ON `evidence_packs` (`updated_at`,`id`);