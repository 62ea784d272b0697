CREATE TABLE `applied_intents` (
	`id` text PRIMARY KEY NOT NULL,
	`applied_at` text NOT NULL
);

--> statement-breakpoint
CREATE TABLE `audit_log` (
	`seq` integer PRIMARY KEY NOT NULL,
	`at` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text,
	`action` text NOT NULL,
	`subject_kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`org_id` text,
	`request_id` text NOT NULL,
	`payload` text,
	`salt` text NOT NULL,
	`digest` text NOT NULL,
	`hash` text NOT NULL
);

--> statement-breakpoint
CREATE INDEX `audit_log_subject` ON `audit_log` (`subject_id`,`seq`);
--> statement-breakpoint
CREATE INDEX `audit_log_action` ON `audit_log` (`action`,`seq`) WHERE "audit_log"."org_id" is null;
--> statement-breakpoint
CREATE INDEX `audit_log_kind` ON `audit_log` (`subject_kind`,`seq`) WHERE "audit_log"."org_id" is null;
--> statement-breakpoint
CREATE INDEX `audit_log_org` ON `audit_log` (`org_id`,`seq`) WHERE "audit_log"."org_id" is not null;
--> statement-breakpoint
CREATE INDEX `audit_log_org_action` ON `audit_log` (`org_id`,`action`,`seq`) WHERE "audit_log"."org_id" is not null;
--> statement-breakpoint
CREATE INDEX `audit_log_org_kind` ON `audit_log` (`org_id`,`subject_kind`,`seq`) WHERE "audit_log"."org_id" is not null;
--> statement-breakpoint
CREATE TABLE `intents` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`org_id` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` text NOT NULL
);

--> statement-breakpoint
CREATE INDEX `intents_org` ON `intents` (`org_id`);
--> statement-breakpoint
CREATE TABLE `search_words` (
	`list` text NOT NULL,
	`record` text NOT NULL,
	`word` text NOT NULL,
	`past` integer NOT NULL,
	PRIMARY KEY(`record`, `list`, `word`)
);

--> statement-breakpoint
CREATE INDEX `search_words_word` ON `search_words` (`list`,`past`,`word`,"record" desc);
--> statement-breakpoint
CREATE TABLE `used_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`body_hash` text NOT NULL,
	`used_at` text NOT NULL,
	`status` integer,
	`answer` text,
	`permissions` text,
	`location` text
);

--> statement-breakpoint
CREATE INDEX `used_keys_used_at` ON `used_keys` (`used_at`);
--> statement-breakpoint
CREATE TABLE `installation` (
	`only` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`created_at` text NOT NULL,
	`key_id` text NOT NULL,
	`audit_seq` integer DEFAULT 0 NOT NULL,
	`audit_head` text DEFAULT '' NOT NULL,
	`scrubbed_at` text,
	`scrub_place` text,
	`scrub_damaged` integer DEFAULT 0 NOT NULL
);

--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`node_id` text NOT NULL,
	`held` integer NOT NULL,
	`tick` text
);

--> statement-breakpoint
CREATE TABLE `namespaces` (
	`org_id` text PRIMARY KEY NOT NULL,
	`created_at` text NOT NULL
);

--> statement-breakpoint
CREATE TABLE `nodes` (
	`id` text PRIMARY KEY NOT NULL,
	`host` text NOT NULL,
	`version` text NOT NULL,
	`control_schema` integer NOT NULL,
	`tenant_schema` integer NOT NULL,
	`beats` integer DEFAULT 0 NOT NULL,
	`seen_at` integer NOT NULL
);

--> statement-breakpoint
CREATE TABLE `rate_buckets` (
	`id` text PRIMARY KEY NOT NULL,
	`level` real NOT NULL,
	`at` integer NOT NULL,
	`empty_at` integer NOT NULL,
	`allowed` integer NOT NULL
);

--> statement-breakpoint
CREATE INDEX `rate_buckets_empty_at` ON `rate_buckets` (`empty_at`);
--> statement-breakpoint
CREATE TABLE `tenant_activity` (
	`org_id` text NOT NULL,
	`node_id` text NOT NULL,
	PRIMARY KEY(`org_id`, `node_id`)
);

--> statement-breakpoint
CREATE INDEX `tenant_activity_node` ON `tenant_activity` (`node_id`);
--> statement-breakpoint
CREATE TABLE `tenant_marks` (
	`org_id` text PRIMARY KEY NOT NULL,
	`dirty` integer NOT NULL,
	`next_wake_at` text,
	`marked_at` text,
	`audit_seq` integer DEFAULT 0 NOT NULL,
	`audit_head` text DEFAULT '' NOT NULL,
	`file_note` text,
	`writes` integer DEFAULT 0 NOT NULL,
	`schema_version` integer DEFAULT 0 NOT NULL,
	`scrubbed_at` text,
	`scrub_place` text,
	`scrub_damaged` integer DEFAULT 0 NOT NULL
);

--> statement-breakpoint
CREATE INDEX `tenant_marks_schema_version` ON `tenant_marks` (`schema_version`);
--> statement-breakpoint
CREATE INDEX `tenant_marks_dirty` ON `tenant_marks` (`org_id`) WHERE "tenant_marks"."dirty";
--> statement-breakpoint
CREATE INDEX `tenant_marks_marked_at` ON `tenant_marks` (`marked_at`);
--> statement-breakpoint
CREATE INDEX `tenant_marks_next_wake_at` ON `tenant_marks` (`next_wake_at`) WHERE "tenant_marks"."next_wake_at" is not null;
--> statement-breakpoint
CREATE TABLE `scheduler_runs` (
	`id` integer PRIMARY KEY NOT NULL,
	`job` text NOT NULL,
	`started_at` text NOT NULL,
	`finished_at` text NOT NULL,
	`outcome` text NOT NULL,
	`summary` text NOT NULL
);

--> statement-breakpoint
CREATE INDEX `scheduler_runs_job` ON `scheduler_runs` (`job`,`id`);
--> statement-breakpoint
CREATE INDEX `scheduler_runs_started_at` ON `scheduler_runs` (`started_at`);
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE `memberships` (
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`roles` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`org_id`, `user_id`),
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `memberships_user` ON `memberships` (`user_id`);
--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`approval_number` text,
	`authority` text,
	`home_icao` text,
	`time_zone` text NOT NULL,
	`currency` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);

--> statement-breakpoint
CREATE TABLE `suspensions` (
	`org_id` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`suspended_at` text NOT NULL,
	`removal_at` text,
	`without_backup` integer DEFAULT false NOT NULL,
	`removal_began_at` text,
	`backup` text,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_verified_at` text,
	`name` text NOT NULL,
	`password_hash` text,
	`language` text DEFAULT 'en' NOT NULL,
	`disabled_at` text,
	`created_at` text NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);
--> statement-breakpoint
CREATE TABLE `email_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`email` text,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`used_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

--> statement-breakpoint
CREATE INDEX `email_tokens_user` ON `email_tokens` (`user_id`);
--> statement-breakpoint
CREATE TABLE `handoff_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`account_type` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`used_at` text,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);

--> statement-breakpoint
CREATE TABLE `platform_permissions` (
	`user_id` text NOT NULL,
	`permission` text NOT NULL,
	`granted_at` text NOT NULL,
	PRIMARY KEY(`user_id`, `permission`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`org_id` text,
	`handed_on_from` text,
	`amr` text NOT NULL,
	`auth_time` text NOT NULL,
	`generation` integer NOT NULL,
	`rotated_at` text NOT NULL,
	`idle_until` text NOT NULL,
	`ends_at` text NOT NULL,
	`revoked_at` text,
	`second_factor_at` text,
	`step_up_until` text,
	`user_agent` text NOT NULL,
	`address` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`handed_on_from`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE set null
);

--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);
--> statement-breakpoint
CREATE INDEX `sessions_last_seen` ON `sessions` (`user_id`,`rotated_at`,`id`) WHERE "sessions"."revoked_at" is null;
--> statement-breakpoint
CREATE INDEX `sessions_handed_on_from` ON `sessions` (`handed_on_from`);
--> statement-breakpoint
CREATE TABLE `mfa_challenges` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`org_id` text,
	`cookie` integer NOT NULL,
	`amr` text NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`used_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

--> statement-breakpoint
CREATE INDEX `mfa_challenges_user` ON `mfa_challenges` (`user_id`);
--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`session_id` text,
	`created_at` text NOT NULL,
	`used_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

--> statement-breakpoint
CREATE INDEX `recovery_codes_user` ON `recovery_codes` (`user_id`);
--> statement-breakpoint
CREATE TABLE `totp_enrollments` (
	`user_id` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`created_at` text NOT NULL,
	`confirmed_at` text,
	`last_step` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

--> statement-breakpoint
CREATE TABLE `identities` (
	`provider` text NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`made_account` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`provider`, `issuer`, `subject`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

--> statement-breakpoint
CREATE INDEX `identities_user` ON `identities` (`user_id`);
--> statement-breakpoint
CREATE TABLE `oauth_flows` (
	`state_hash` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`nonce` text NOT NULL,
	`sealed` text NOT NULL,
	`browser_hash` text NOT NULL,
	`user_id` text,
	`redirect_to` text,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`used_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

--> statement-breakpoint
CREATE TABLE `invites` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`email` text NOT NULL,
	`roles` text NOT NULL,
	`person_id` text,
	`token_hash` text NOT NULL,
	`invited_by` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`claimed_at` text,
	`claimed_by` text,
	`revoked_at` text,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE UNIQUE INDEX `invites_token_hash_unique` ON `invites` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `invites_list` ON `invites` (`org_id`,person_id is null,`id`);
--> statement-breakpoint
CREATE INDEX `invites_state` ON `invites` (`org_id`,person_id is null,case when claimed_at is not null then 'claimed' when revoked_at is not null then 'revoked' else 'pending' end,`id`);
--> statement-breakpoint
CREATE INDEX `invites_person` ON `invites` (`person_id`) WHERE person_id is not null;
--> statement-breakpoint
CREATE INDEX `invites_email` ON `invites` (`email`) WHERE claimed_at is null;
--> statement-breakpoint
CREATE INDEX `invites_claimed_by` ON `invites` (`claimed_by`) WHERE claimed_by is not null;
--> statement-breakpoint
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
	`revision` integer DEFAULT 1 NOT NULL,
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
CREATE TABLE `directory_entries` (
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
CREATE TABLE `directory_words` (
	`entry` integer NOT NULL,
	`word` text NOT NULL,
	`type` text NOT NULL,
	PRIMARY KEY(`entry`, `word`),
	FOREIGN KEY (`entry`) REFERENCES `directory_entries`(`rowid`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `directory_words_word` ON `directory_words` (`type`,`word`,`entry`);