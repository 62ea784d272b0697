ALTER TABLE `training_signoffs` ADD `signed_by_instructor` integer DEFAULT false NOT NULL;
--> statement-breakpoint
CREATE INDEX `training_signoffs_item` ON `training_signoffs` (`item_id`);
--> statement-breakpoint
CREATE INDEX `compliance_records_superseded_by` ON `compliance_records` (`superseded_by`) WHERE "compliance_records"."superseded_by" is not null;
--> statement-breakpoint
CREATE INDEX `training_enrollments_revision` ON `training_enrollments` (`revision_id`);
--> statement-breakpoint
CREATE INDEX `training_ground_sessions_lesson` ON `training_ground_sessions` (`lesson_id`);
--> statement-breakpoint
UPDATE `training_signoffs` SET `signed_by_instructor` = true
  WHERE `created_by` = (SELECT `user_id` FROM `people` WHERE `people`.`id` = `instructor_id`);
