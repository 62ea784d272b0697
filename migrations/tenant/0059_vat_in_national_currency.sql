ALTER TABLE `finance_settings` ADD `exchange_rates` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
ALTER TABLE `finance_invoice_lines` ADD `exchange_rate` text;
--> statement-breakpoint
ALTER TABLE `finance_invoice_lines` ADD `national_vat_minor` integer;
--> statement-breakpoint
ALTER TABLE `finance_invoices` ADD `national_currency` text;
--> statement-breakpoint
ALTER TABLE `finance_invoices` ADD `exchange_rate` text;
--> statement-breakpoint
ALTER TABLE `finance_invoices` ADD `national_vat_minor` integer;
--> statement-breakpoint
CREATE INDEX `finance_invoices_national` ON `finance_invoices` (`issued_date`) WHERE national_currency is not null;