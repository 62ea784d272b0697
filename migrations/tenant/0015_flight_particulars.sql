ALTER TABLE `flights` ADD `nature` text;
--> statement-breakpoint
ALTER TABLE `flights` ADD `passengers` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `flights` ADD `fuel_uplift_litres` integer;
--> statement-breakpoint
ALTER TABLE `flights` ADD `oil_uplift_litres` integer;
--> statement-breakpoint
ALTER TABLE `flights` ADD `workshop_remarks` text;
--> statement-breakpoint
CREATE INDEX `flights_workshop` ON `flights` (case when off_block_at is null then '' else off_block_at end,`id`) WHERE workshop_remarks is not null;
--> statement-breakpoint
CREATE INDEX `flights_aircraft_workshop` ON `flights` (`aircraft_id`,case when off_block_at is null then '' else off_block_at end,`id`) WHERE workshop_remarks is not null;
--> statement-breakpoint
INSERT OR IGNORE INTO `compliance_types` (`id`, `key`, `name`, `subject`, `levels`, `validity_months`, `warning_days`, `built_in`, `created_at`, `updated_at`) VALUES
	('01990000-0000-7000-8000-000000000018', 'fstd_qualification', 'FSTD qualification certificate', 'aircraft', '[]', 12, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z');
--> statement-breakpoint
INSERT INTO `compliance_requirements` (`id`, `applies_to`, `any_of`, `levels`, `created_at`, `updated_at`) VALUES
	('01990000-0000-7000-8000-000000000110', 'simulator', '["fstd_qualification"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z');
