CREATE TABLE `former_memberships` (
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`until` text NOT NULL,
	PRIMARY KEY(`org_id`, `user_id`),
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `former_memberships_user` ON `former_memberships` (`user_id`);