CREATE TABLE `compliance_evaluations` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text,
	`aircraft_id` text,
	`status` text NOT NULL,
	`reasons` text NOT NULL,
	`changes_on` text,
	`evaluated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE cascade
);

--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_evaluations_person_id_unique` ON `compliance_evaluations` (`person_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_evaluations_aircraft_id_unique` ON `compliance_evaluations` (`aircraft_id`);
--> statement-breakpoint
CREATE INDEX `compliance_evaluations_status` ON `compliance_evaluations` (`status`,`id`);
--> statement-breakpoint
CREATE INDEX `compliance_evaluations_changes` ON `compliance_evaluations` (`changes_on`) WHERE "compliance_evaluations"."changes_on" is not null;
--> statement-breakpoint
CREATE TABLE `compliance_requirements` (
	`id` text PRIMARY KEY NOT NULL,
	`applies_to` text NOT NULL,
	`any_of` text NOT NULL,
	`levels` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);

--> statement-breakpoint
CREATE INDEX `compliance_requirements_role` ON `compliance_requirements` (`applies_to`,`id`);
--> statement-breakpoint
INSERT INTO `compliance_requirements` (`id`, `applies_to`, `any_of`, `levels`, `created_at`, `updated_at`) VALUES
	('01990000-0000-7000-8000-000000000101', 'student', '["medical"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000102', 'pilot', '["medical"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000103', 'pilot', '["licence"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000104', 'pilot', '["sep","tmg","mep"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000105', 'pilot', '["elp"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000106', 'instructor', '["medical"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000107', 'instructor', '["fi"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000108', 'aircraft', '["arc"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
	('01990000-0000-7000-8000-000000000109', 'aircraft', '["insurance"]', '[]', '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z');
--> statement-breakpoint
INSERT INTO `compliance_evaluations` (`id`, `person_id`, `aircraft_id`, `status`, `reasons`, `changes_on`, `evaluated_at`)
SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-7' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), `id`, NULL, 'not_compliant', '[]', '1970-01-01', `created_at` FROM `people`;
--> statement-breakpoint
INSERT INTO `compliance_evaluations` (`id`, `person_id`, `aircraft_id`, `status`, `reasons`, `changes_on`, `evaluated_at`)
SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-7' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), NULL, `id`, 'not_compliant', '[]', '1970-01-01', `created_at` FROM `aircraft`;
