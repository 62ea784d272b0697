CREATE TABLE `evidence_chunks` (
	`pack_id` text NOT NULL,
	`part` integer NOT NULL,
	`position` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`pack_id`, `part`, `position`),
	FOREIGN KEY (`pack_id`) REFERENCES `evidence_packs`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE TABLE `evidence_packs` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`person_id` text,
	`as_of` text,
	`failure` text,
	`period_from` text,
	`period_to` text,
	`issued_at` text,
	`manifest` text,
	`signature` text,
	`key_id` text,
	`manifest_sha256` text,
	`sha256` text,
	`size_bytes` integer,
	`superseded_by` text,
	`requested_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`key_id`) REFERENCES `signing_keys`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`superseded_by`) REFERENCES `evidence_packs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "evidence_packs_subject" CHECK(("evidence_packs"."person_id" is null) <> ("evidence_packs"."as_of" is null))
);

--> statement-breakpoint
CREATE INDEX `evidence_packs_type` ON `evidence_packs` (`type`,`id`);
--> statement-breakpoint
CREATE INDEX `evidence_packs_status` ON `evidence_packs` (`status`,`id`);
--> statement-breakpoint
CREATE INDEX `evidence_packs_type_status` ON `evidence_packs` (`type`,`status`,`id`);
--> statement-breakpoint
CREATE INDEX `evidence_packs_person` ON `evidence_packs` (`person_id`,`id`);
--> statement-breakpoint
CREATE TABLE `evidence_parts` (
	`pack_id` text NOT NULL,
	`position` integer NOT NULL,
	`name` text NOT NULL,
	`media_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`crc32` integer NOT NULL,
	PRIMARY KEY(`pack_id`, `position`),
	FOREIGN KEY (`pack_id`) REFERENCES `evidence_packs`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`public_key` text NOT NULL,
	`sealed_private_key` text NOT NULL,
	`created_at` text NOT NULL,
	`retired_at` text
);

--> statement-breakpoint
CREATE UNIQUE INDEX `signing_keys_current` ON `signing_keys` ((1)) WHERE retired_at is null;
--> statement-breakpoint
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