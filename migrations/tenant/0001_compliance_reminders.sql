ALTER TABLE `compliance_records` ADD `reminded_at` text;
--> statement-breakpoint
CREATE INDEX `compliance_records_expiry` ON `compliance_records` (`valid_until`,`id`) WHERE "compliance_records"."status" = 'current' and "compliance_records"."valid_until" is not null;