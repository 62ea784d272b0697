CREATE TABLE `directory_profiles` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`subject_id` text NOT NULL,
	`published` integer NOT NULL,
	`fields` text NOT NULL,
	`headline` text,
	`description` text,
	`website` text,
	`email` text,
	`phone` text,
	`languages` text NOT NULL,
	`place` text,
	`country` text,
	`latitude` integer,
	`longitude` integer,
	`consented_by` text,
	`consented_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `directory_profiles_subject` ON `directory_profiles` (`type`,`subject_id`);
--> statement-breakpoint
CREATE INDEX `directory_profiles_consent` ON `directory_profiles` (`consented_by`);