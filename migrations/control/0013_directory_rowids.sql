CREATE TABLE `__new_directory_entries` (
	`rowid` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
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
INSERT INTO `__new_directory_entries`("rowid", "id", "type", "org_id", "listed", "status", "featured", "sort_priority", "rank", "name", "headline", "description", "website", "email", "phone", "languages", "place", "country", "latitude", "longitude", "kind", "approval_number", "authority", "ratings", "registration", "icao_type", "class", "seats", "hourly_rate_minor", "currency", "updated_at") SELECT "rowid", "id", "type", "org_id", "listed", "status", "featured", "sort_priority", "rank", "name", "headline", "description", "website", "email", "phone", "languages", "place", "country", "latitude", "longitude", "kind", "approval_number", "authority", "ratings", "registration", "icao_type", "class", "seats", "hourly_rate_minor", "currency", "updated_at" FROM `directory_entries`;
--> statement-breakpoint
DROP TABLE `directory_entries`;
--> statement-breakpoint
ALTER TABLE `__new_directory_entries` RENAME TO `directory_entries`;
--> statement-breakpoint
CREATE UNIQUE INDEX `directory_entries_id_unique` ON `directory_entries` (`id`);
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
CREATE INDEX `directory_entries_moderation` ON `directory_entries` (`type`,`status`,`id`);
--> statement-breakpoint
CREATE INDEX `directory_entries_organization` ON `directory_entries` (`org_id`);
--> statement-breakpoint
CREATE TABLE `__new_directory_words` (
	`entry` integer NOT NULL,
	`word` text NOT NULL,
	`type` text NOT NULL,
	PRIMARY KEY(`entry`, `word`),
	FOREIGN KEY (`entry`) REFERENCES `directory_entries`(`rowid`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_directory_words`("entry", "word", "type") SELECT `directory_entries`.`rowid`, `word`, `directory_words`.`type` FROM `directory_words` JOIN `directory_entries` ON `id` = `entry_id`;
--> statement-breakpoint
DROP TABLE `directory_words`;
--> statement-breakpoint
ALTER TABLE `__new_directory_words` RENAME TO `directory_words`;
--> statement-breakpoint
CREATE INDEX `directory_words_word` ON `directory_words` (`type`,`word`,`entry`);