ALTER TABLE `finance_customers` ADD `customer_number` text;
--> statement-breakpoint
CREATE UNIQUE INDEX `finance_customers_number` ON `finance_customers` (`customer_number`);
--> statement-breakpoint
CREATE INDEX `finance_invoices_updated` ON `finance_invoices` (`updated_at`,`id`);
--> statement-breakpoint
UPDATE `finance_invoices` SET `buyer` = json_set(`buyer`, '$.customer_number', NULL) WHERE `buyer` IS NOT NULL;