CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`alert` text NOT NULL,
	`subject_id` text NOT NULL,
	`person_id` text,
	`recipient` text NOT NULL,
	`user_id` text,
	`attempts` integer NOT NULL,
	`due_at` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `mails_due` ON `mails` (`due_at`,`id`);
--> statement-breakpoint
CREATE INDEX `mails_subject` ON `mails` (`subject_id`);
--> statement-breakpoint
CREATE INDEX `mails_person` ON `mails` (`person_id`);
--> statement-breakpoint
CREATE TABLE `notification_preferences` (
	`user_id` text PRIMARY KEY NOT NULL,
	`medical_expiring` integer NOT NULL,
	`compliance_expiring` integer NOT NULL,
	`maintenance_alert` integer NOT NULL,
	`updated_at` text NOT NULL
);

--> statement-breakpoint
ALTER TABLE `people` ADD `receives_mails` integer DEFAULT true NOT NULL;
--> statement-breakpoint
UPDATE `compliance_records` SET `next_notice_on` = date(`valid_until`, '-' || (SELECT `warning_days` FROM `compliance_types` WHERE `key` = `compliance_records`.`type`) || ' days')
WHERE `person_id` IS NOT NULL AND `status` = 'current' AND `type` <> 'medical' AND `valid_until` >= date('now');
