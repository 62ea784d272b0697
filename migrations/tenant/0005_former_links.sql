CREATE TABLE `former_links` (
	`person_id` text NOT NULL,
	`user_id` text,
	`email` text,
	`until` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `former_links_person` ON `former_links` (`person_id`,`until`);