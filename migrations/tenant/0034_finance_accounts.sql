ALTER TABLE `finance_settings` ADD `balance_limit_minor` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `finance_months` ADD `checked_at` text;
--> statement-breakpoint
CREATE INDEX `finance_months_unchecked` ON `finance_months` (`updated_at`) WHERE (checked_at is null or checked_at < updated_at);
--> statement-breakpoint
CREATE INDEX `finance_balances_owed` ON `finance_balances` (`balance_minor`,`person_id`,`currency`) WHERE balance_minor > 0;
--> statement-breakpoint
CREATE INDEX `finance_invoices_open` ON `finance_invoices` (`person_id`,`currency`,`due_on`,`id`) WHERE status in ('sent', 'overdue');