DROP INDEX `people_flying`;
--> statement-breakpoint
DROP INDEX `people_pilots`;
--> statement-breakpoint
ALTER TABLE `people` ADD `status` text DEFAULT 'active' NOT NULL;
--> statement-breakpoint
ALTER TABLE `people` ADD `phone` text;
--> statement-breakpoint
ALTER TABLE `people` ADD `street` text;
--> statement-breakpoint
ALTER TABLE `people` ADD `postcode` text;
--> statement-breakpoint
ALTER TABLE `people` ADD `city` text;
--> statement-breakpoint
ALTER TABLE `people` ADD `country` text;
--> statement-breakpoint
ALTER TABLE `people` ADD `emergency_name` text;
--> statement-breakpoint
ALTER TABLE `people` ADD `emergency_phone` text;
--> statement-breakpoint
ALTER TABLE `people` ADD `emergency_relation` text;
--> statement-breakpoint
ALTER TABLE `people` ADD `licence_authority` text;
--> statement-breakpoint
CREATE INDEX `people_status` ON `people` (`status`,`name`,`id`);
--> statement-breakpoint
CREATE INDEX `people_name_prefix` ON `people` (lower("name"));