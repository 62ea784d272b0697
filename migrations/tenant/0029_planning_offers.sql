ALTER TABLE `planning_sessions` ADD `was_request` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `mails` ADD `session_ids` text;
--> statement-breakpoint
ALTER TABLE `mails` ADD `former_start_at` text;
--> statement-breakpoint
ALTER TABLE `mails` ADD `former_end_at` text;
--> statement-breakpoint
CREATE INDEX `planning_wishes_until` ON `planning_wishes` (`until_at`) WHERE status = 'waiting';
--> statement-breakpoint
CREATE INDEX `planning_wishes_offered_aircraft` ON `planning_wishes` (`offered_aircraft_id`) WHERE status = 'offered';
--> statement-breakpoint
CREATE INDEX `planning_wishes_offered_instructor` ON `planning_wishes` (`offered_instructor_id`) WHERE status = 'offered';
--> statement-breakpoint
CREATE INDEX `planning_wishes_instructor` ON `planning_wishes` (`instructor_id`);