ALTER TABLE `compliance_records` ADD `other_levels` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
ALTER TABLE `compliance_records` ADD `method` text;
--> statement-breakpoint
ALTER TABLE `compliance_records` ADD `entered_by_mistake` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `planning_sessions` ADD `night` integer DEFAULT false NOT NULL;