CREATE TABLE `compliance_records` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text,
	`aircraft_id` text,
	`type` text NOT NULL,
	`level` text,
	`number` text,
	`issued_by` text,
	`issued_on` text NOT NULL,
	`valid_until` text,
	`remarks` text,
	`status` text NOT NULL,
	`superseded_by` text,
	`withdrawal_reason` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`type`) REFERENCES `compliance_types`(`key`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`superseded_by`) REFERENCES `compliance_records`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "compliance_records_subject" CHECK(("compliance_records"."person_id" is null) <> ("compliance_records"."aircraft_id" is null))
);

--> statement-breakpoint
CREATE INDEX `compliance_records_person` ON `compliance_records` (`person_id`,`id`);
--> statement-breakpoint
CREATE INDEX `compliance_records_aircraft` ON `compliance_records` (`aircraft_id`,`id`);
--> statement-breakpoint
CREATE INDEX `compliance_records_type` ON `compliance_records` (`type`,`id`);
--> statement-breakpoint
CREATE INDEX `compliance_records_status` ON `compliance_records` (`status`,`id`);
--> statement-breakpoint
CREATE INDEX `compliance_records_type_status` ON `compliance_records` (`type`,`status`,`id`);
--> statement-breakpoint
CREATE INDEX `compliance_records_person_type` ON `compliance_records` (`person_id`,`type`,`status`,`issued_on`);
--> statement-breakpoint
CREATE INDEX `compliance_records_aircraft_type` ON `compliance_records` (`aircraft_id`,`type`,`status`,`issued_on`);
--> statement-breakpoint
CREATE TABLE `compliance_types` (
	`id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`name` text NOT NULL,
	`subject` text NOT NULL,
	`levels` text NOT NULL,
	`validity_months` integer,
	`warning_days` integer NOT NULL,
	`built_in` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_types_key_unique` ON `compliance_types` (`key`);
--> statement-breakpoint
CREATE INDEX `compliance_types_subject` ON `compliance_types` (`subject`,`key`);
--> statement-breakpoint
INSERT INTO `compliance_types` (`id`, `key`, `name`, `subject`, `levels`, `validity_months`, `warning_days`, `built_in`, `created_at`, `updated_at`) VALUES
	('01990000-0000-7000-8000-000000000001', 'medical', 'Medical certificate', 'person', '["class_1","class_2","lapl"]', null, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000002', 'licence', 'Pilot licence', 'person', '["lapl","ppl","cpl","atpl"]', null, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000003', 'sep', 'Class rating SEP', 'person', '[]', 24, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000004', 'tmg', 'Class rating TMG', 'person', '[]', 24, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000005', 'mep', 'Class rating MEP', 'person', '[]', 12, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000006', 'ir', 'Instrument rating', 'person', '[]', 12, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000007', 'night', 'Night rating', 'person', '[]', null, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000008', 'fi', 'Flight instructor certificate', 'person', '[]', 36, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000009', 'elp', 'Language proficiency', 'person', '["4","5","6"]', null, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000010', 'radio', 'Radiotelephony certificate', 'person', '[]', null, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000011', 'arc', 'Airworthiness review certificate', 'aircraft', '[]', 12, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000012', 'cofa', 'Certificate of airworthiness', 'aircraft', '[]', null, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000013', 'insurance', 'Insurance', 'aircraft', '[]', 12, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000014', 'radio_licence', 'Aircraft radio licence', 'aircraft', '[]', null, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000015', 'noise_certificate', 'Noise certificate', 'aircraft', '[]', null, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000016', 'weighing', 'Weighing report', 'aircraft', '[]', null, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000017', 'elt_battery', 'ELT battery', 'aircraft', '[]', null, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z');
