ALTER TABLE `finance_settings` ADD `register_number` text;
--> statement-breakpoint
ALTER TABLE `finance_settings` ADD `small_business` integer DEFAULT false NOT NULL;
--> statement-breakpoint
UPDATE `finance_invoices` SET `seller` = json_set(`seller`, '$.register_number', null, '$.approval_number', null) WHERE `seller` IS NOT NULL;
