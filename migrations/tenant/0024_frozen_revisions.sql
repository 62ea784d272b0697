DROP INDEX `training_enrollments_revision`;
--> statement-breakpoint
ALTER TABLE `training_revisions` ADD `frozen_at` text;
--> statement-breakpoint
UPDATE `training_revisions` SET `frozen_at` = `published_at` WHERE `id` IN (SELECT `revision_id` FROM `training_enrollments`)
  OR `id` IN (SELECT `revision_id` FROM `training_items` WHERE `id` IN (SELECT `item_id` FROM `training_signoffs`))
  OR `id` IN (SELECT `revision_id` FROM `training_lessons` WHERE `id` IN (SELECT `lesson_id` FROM `training_ground_sessions`))
  OR `id` IN (SELECT `revision_id` FROM `training_lessons` WHERE `id` IN (SELECT `lesson_id` FROM `flights` WHERE `enrollment_id` IS NOT NULL));
