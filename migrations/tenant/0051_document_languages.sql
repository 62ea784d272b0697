ALTER TABLE `finance_customers` ADD `language` text;
--> statement-breakpoint
ALTER TABLE `finance_settings` ADD `language` text DEFAULT 'en' NOT NULL;
--> statement-breakpoint
ALTER TABLE `finance_invoices` ADD `language` text;
--> statement-breakpoint
-- What was sent so far is in English.
UPDATE `finance_invoices` SET `language` = 'en' WHERE `number` IS NOT NULL;
