ALTER TABLE `compliance_records` ADD `next_notice_on` text;
--> statement-breakpoint
CREATE INDEX `compliance_records_notice` ON `compliance_records` (`next_notice_on`) WHERE "compliance_records"."next_notice_on" is not null;