ALTER TABLE `installation` ADD `scrubbed_at` text;
--> statement-breakpoint
ALTER TABLE `installation` ADD `scrub_place` text;
--> statement-breakpoint
ALTER TABLE `installation` ADD `scrub_damaged` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `tenant_marks` ADD `scrubbed_at` text;
--> statement-breakpoint
ALTER TABLE `tenant_marks` ADD `scrub_place` text;
--> statement-breakpoint
ALTER TABLE `tenant_marks` ADD `scrub_damaged` integer DEFAULT 0 NOT NULL;