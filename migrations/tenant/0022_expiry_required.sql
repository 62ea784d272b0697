ALTER TABLE `compliance_types` ADD `valid_until_required` integer DEFAULT false NOT NULL;
--> statement-breakpoint
UPDATE `compliance_types` SET `valid_until_required` = 1
WHERE `built_in` = 1 AND `key` IN ('medical', 'sep', 'tmg', 'mep', 'ir', 'fi', 'elp', 'arc', 'insurance', 'fstd_qualification', 'elt_battery');
--> statement-breakpoint
INSERT OR IGNORE INTO `compliance_types` (`id`, `key`, `name`, `subject`, `levels`, `validity_months`, `warning_days`, `built_in`, `created_at`, `updated_at`) VALUES
	('01990000-0000-7000-8000-000000000019', 'lapl_check', 'Proficiency check for the LAPL(A)', 'person', '[]', 24, 30, 1, '2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z');
