CREATE TABLE `directory_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`org_id` text NOT NULL,
	`listed` integer NOT NULL,
	`status` text NOT NULL,
	`featured` integer NOT NULL,
	`sort_priority` integer NOT NULL,
	`rank` integer NOT NULL,
	`name` text NOT NULL,
	`headline` text,
	`description` text,
	`website` text,
	`email` text,
	`phone` text,
	`languages` text,
	`place` text,
	`country` text,
	`latitude` integer,
	`longitude` integer,
	`kind` text,
	`approval_number` text,
	`authority` text,
	`ratings` text,
	`registration` text,
	`icao_type` text,
	`class` text,
	`seats` integer,
	`hourly_rate_minor` integer,
	`currency` text,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `directory_entries_list` ON `directory_entries` (`type`,`rank`,`name`,`id`) WHERE listed = 1 and status = 'published';
--> statement-breakpoint
CREATE INDEX `directory_entries_country` ON `directory_entries` (`type`,`country`,`rank`,`name`,`id`) WHERE listed = 1 and status = 'published';
--> statement-breakpoint
CREATE INDEX `directory_entries_place` ON `directory_entries` (`type`,`place`,`rank`,`name`,`id`) WHERE listed = 1 and status = 'published';
--> statement-breakpoint
CREATE INDEX `directory_entries_class` ON `directory_entries` (`type`,`class`,`rank`,`name`,`id`) WHERE listed = 1 and status = 'published';
--> statement-breakpoint
CREATE INDEX `directory_entries_coordinates` ON `directory_entries` (`type`,`latitude`,`longitude`,`id`) WHERE listed = 1 and status = 'published';
--> statement-breakpoint
CREATE INDEX `directory_entries_organization` ON `directory_entries` (`org_id`);
--> statement-breakpoint
CREATE TABLE `directory_words` (
	`entry_id` text NOT NULL,
	`word` text NOT NULL,
	`type` text NOT NULL,
	PRIMARY KEY(`entry_id`, `word`),
	FOREIGN KEY (`entry_id`) REFERENCES `directory_entries`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `directory_words_word` ON `directory_words` (`type`,`word`,`entry_id`);