CREATE TABLE `share_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`subject_id` text NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`created_by` text,
	`created_at` text NOT NULL,
	`expires_at` text,
	`revoked_at` text
);

--> statement-breakpoint
CREATE UNIQUE INDEX `share_tokens_token_hash_unique` ON `share_tokens` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `share_tokens_subject` ON `share_tokens` (`subject_id`,`id`);
--> statement-breakpoint
CREATE INDEX `share_tokens_creator` ON `share_tokens` (`created_by`,`id`);