ALTER TABLE `finance_invoices` ADD `cancels_id` text REFERENCES finance_invoices(id);
--> statement-breakpoint
CREATE UNIQUE INDEX `finance_invoices_cancels` ON `finance_invoices` (`cancels_id`);