ALTER TABLE `addon_listings` ADD `revision` integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
CREATE INDEX `directory_entries_moderation` ON `directory_entries` (`type`,`status`,`id`);