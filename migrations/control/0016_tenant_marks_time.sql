ALTER TABLE `tenant_marks` ADD `marked_at` text;
--> statement-breakpoint
CREATE INDEX `tenant_marks_marked_at` ON `tenant_marks` (`marked_at`);