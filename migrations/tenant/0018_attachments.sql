CREATE TABLE `attachment_chunks` (
	`attachment_id` text NOT NULL,
	`position` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`attachment_id`, `position`)
);

--> statement-breakpoint
CREATE TABLE `attachment_uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`reserved_bytes` integer NOT NULL,
	`started_at` text NOT NULL
);

--> statement-breakpoint
CREATE INDEX `attachment_uploads_started` ON `attachment_uploads` (`started_at`);
--> statement-breakpoint
CREATE TABLE `attachment_usage` (
	`only` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`bytes` integer NOT NULL
);

--> statement-breakpoint
CREATE TABLE `attachments` (
	`id` text PRIMARY KEY NOT NULL,
	`record_id` text,
	`work_order_id` text,
	`defect_id` text,
	`filename` text NOT NULL,
	`media_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`uploaded_by` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`record_id`) REFERENCES `compliance_records`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`work_order_id`) REFERENCES `work_orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`defect_id`) REFERENCES `defects`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "attachments_owner" CHECK(("attachments"."record_id" is not null) + ("attachments"."work_order_id" is not null) + ("attachments"."defect_id" is not null) = 1)
);

--> statement-breakpoint
CREATE INDEX `attachments_record` ON `attachments` (`record_id`,`id`) WHERE "attachments"."record_id" is not null;
--> statement-breakpoint
CREATE INDEX `attachments_work_order` ON `attachments` (`work_order_id`,`id`) WHERE "attachments"."work_order_id" is not null;
--> statement-breakpoint
CREATE INDEX `attachments_defect` ON `attachments` (`defect_id`,`id`) WHERE "attachments"."defect_id" is not null;