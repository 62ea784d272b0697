ALTER TABLE `finance_packages` ADD `returned` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `finance_packages` ADD `ended_by` text;
--> statement-breakpoint
ALTER TABLE `finance_invoice_lines` ADD `returned` integer;
--> statement-breakpoint
-- The credit note that ended a package, in whose transaction that was: where its sale was not reversed.
UPDATE `finance_packages` SET `ended_by` = (
	SELECT `credit`.`id` FROM `finance_charges` AS `sale`
	JOIN `finance_invoice_lines` AS `sold` ON `sold`.`charge_id` = `sale`.`id`
	JOIN `finance_invoice_lines` AS `credit` ON `credit`.`credits_line_id` = `sold`.`id`
	JOIN `finance_invoices` AS `note` ON `note`.`id` = `credit`.`invoice_id`
	WHERE `sale`.`package_id` = `finance_packages`.`id` AND `sale`.`kind` = 'package' AND `sale`.`reverses_id` IS NULL
		AND `note`.`status` <> 'void' AND `note`.`created_at` = `finance_packages`.`voided_at`
		AND NOT EXISTS (SELECT 1 FROM `finance_charges` AS `reversal` WHERE `reversal`.`reverses_id` = `sale`.`id`)
	ORDER BY `credit`.`id` LIMIT 1)
WHERE `voided_at` IS NOT NULL;
--> statement-breakpoint
-- Evaluations that older rules have computed are made anew.
UPDATE `compliance_evaluations` SET `changes_on` = '1970-01-01';
