ALTER TABLE `defects` ADD `deferred_minutes` integer;
--> statement-breakpoint
ALTER TABLE `defects` ADD `deferred_at` text;