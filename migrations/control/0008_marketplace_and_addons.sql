CREATE TABLE `application_moves` (
	`application_id` text NOT NULL,
	`number` integer NOT NULL,
	`status` text NOT NULL,
	`at` text NOT NULL,
	`side` text NOT NULL,
	`user_id` text NOT NULL,
	`note` text,
	PRIMARY KEY(`application_id`, `number`),
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE cascade
);

--> statement-breakpoint
CREATE TABLE `applications` (
	`id` text PRIMARY KEY NOT NULL,
	`opportunity_id` text NOT NULL,
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`status` text NOT NULL,
	`message` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`opportunity_id`) REFERENCES `opportunities`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE UNIQUE INDEX `applications_once` ON `applications` (`opportunity_id`,`user_id`);
--> statement-breakpoint
CREATE INDEX `applications_received` ON `applications` (`org_id`,`id`);
--> statement-breakpoint
CREATE INDEX `applications_received_status` ON `applications` (`org_id`,`status`,`id`);
--> statement-breakpoint
CREATE INDEX `applications_own` ON `applications` (`user_id`,`id`);
--> statement-breakpoint
CREATE INDEX `applications_own_status` ON `applications` (`user_id`,`status`,`id`);
--> statement-breakpoint
CREATE TABLE `opportunities` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`place` text,
	`country` text NOT NULL,
	`starts_on` text,
	`ends_on` text,
	`expires_on` text NOT NULL,
	`closes_at` text NOT NULL,
	`compensation` text,
	`requirements` text,
	`published_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `opportunities_list` ON `opportunities` (`org_id`,`id`);
--> statement-breakpoint
CREATE INDEX `opportunities_status` ON `opportunities` (`org_id`,`status`,`id`);
--> statement-breakpoint
CREATE INDEX `opportunities_kind` ON `opportunities` (`org_id`,`kind`,`id`);
--> statement-breakpoint
CREATE INDEX `opportunities_open` ON `opportunities` (`closes_at`,`id`) WHERE status = 'published';
--> statement-breakpoint
CREATE INDEX `opportunities_open_kind` ON `opportunities` (`kind`,`closes_at`,`id`) WHERE status = 'published';
--> statement-breakpoint
CREATE INDEX `opportunities_open_country` ON `opportunities` (`country`,`closes_at`,`id`) WHERE status = 'published';
--> statement-breakpoint
CREATE INDEX `opportunities_open_place` ON `opportunities` (`place`,`closes_at`,`id`) WHERE status = 'published';
--> statement-breakpoint
CREATE INDEX `opportunities_open_title` ON `opportunities` (lower("title")) WHERE status = 'published';
--> statement-breakpoint
CREATE TABLE `addon_listings` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`summary` text NOT NULL,
	`description` text NOT NULL,
	`category` text NOT NULL,
	`homepage_url` text NOT NULL,
	`support_email` text NOT NULL,
	`icon_url` text,
	`pricing` text,
	`event_types` text NOT NULL,
	`scopes` text NOT NULL,
	`review_status` text NOT NULL,
	`submitted_at` text,
	`review_notes` text,
	`reviewed_by` text,
	`reviewed_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE UNIQUE INDEX `addon_listings_slug_unique` ON `addon_listings` (`slug`);
--> statement-breakpoint
CREATE INDEX `addon_listings_list` ON `addon_listings` (`org_id`,`id`);
--> statement-breakpoint
CREATE INDEX `addon_listings_list_status` ON `addon_listings` (`org_id`,`review_status`,`id`);
--> statement-breakpoint
CREATE INDEX `addon_listings_queue` ON `addon_listings` (`review_status`,case when submitted_at is null then '' else submitted_at end,`id`);
--> statement-breakpoint
CREATE INDEX `addon_listings_public` ON `addon_listings` (`review_status`,`name`,`id`);
--> statement-breakpoint
CREATE INDEX `addon_listings_public_category` ON `addon_listings` (`review_status`,`category`,`name`,`id`);
--> statement-breakpoint
CREATE INDEX `addon_listings_public_prefix` ON `addon_listings` (lower("name")) WHERE review_status = 'approved';