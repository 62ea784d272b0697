ALTER TABLE `compliance_types` ADD `valid_until_required` integer DEFAULT false NOT NULL;
--> statement-breakpoint
UPDATE `compliance_types` SET `valid_until_required` = 1
WHERE `built_in` = 1 AND `key` IN ('medical', 'sep', 'tmg', 'mep', 'ir', 'fi', 'elp', 'arc', 'insurance', 'fstd_qualification', 'elt_battery');
