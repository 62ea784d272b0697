CREATE TABLE `finance_allocations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`invoice_id` text NOT NULL,
	`payment_id` text,
	`credit_note_id` text,
	`amount_minor` integer NOT NULL,
	`on` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`invoice_id`) REFERENCES `finance_invoices`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `finance_payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`credit_note_id`) REFERENCES `finance_invoices`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `finance_allocations_invoice` ON `finance_allocations` (`invoice_id`);
--> statement-breakpoint
CREATE INDEX `finance_allocations_payment` ON `finance_allocations` (`payment_id`);
--> statement-breakpoint
CREATE INDEX `finance_allocations_credit_note` ON `finance_allocations` (`credit_note_id`);
--> statement-breakpoint
CREATE TABLE `finance_balances` (
	`person_id` text NOT NULL,
	`currency` text NOT NULL,
	`balance_minor` integer NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`person_id`, `currency`),
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE TABLE `finance_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`on` text NOT NULL,
	`posting` text NOT NULL,
	`person_id` text NOT NULL,
	`invoice_id` text,
	`payment_id` text,
	`refund_id` text,
	`account` text NOT NULL,
	`vat_category` text,
	`vat_rate` integer,
	`currency` text NOT NULL,
	`debit_minor` integer NOT NULL,
	`credit_minor` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `finance_invoices`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `finance_payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`refund_id`) REFERENCES `finance_refunds`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "finance_entries_sides" CHECK(debit_minor >= 0 and credit_minor >= 0 and (debit_minor = 0 or credit_minor = 0))
);

--> statement-breakpoint
CREATE INDEX `finance_entries_on` ON `finance_entries` (`on`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_entries_person` ON `finance_entries` (`person_id`,`account`,`on`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_entries_invoice` ON `finance_entries` (`invoice_id`);
--> statement-breakpoint
CREATE INDEX `finance_entries_payment` ON `finance_entries` (`payment_id`);
--> statement-breakpoint
CREATE INDEX `finance_entries_refund` ON `finance_entries` (`refund_id`);
--> statement-breakpoint
CREATE TABLE `finance_invoice_lines` (
	`id` text PRIMARY KEY NOT NULL,
	`invoice_id` text NOT NULL,
	`position` integer NOT NULL,
	`charge_id` text,
	`credits_line_id` text,
	`description` text NOT NULL,
	`on` text NOT NULL,
	`quantity` integer NOT NULL,
	`unit` text NOT NULL,
	`unit_price_minor` integer NOT NULL,
	`price_per` integer NOT NULL,
	`vat_category` text NOT NULL,
	`vat_rate` integer NOT NULL,
	`vat_reason` text,
	`net_minor` integer NOT NULL,
	`vat_minor` integer NOT NULL,
	FOREIGN KEY (`invoice_id`) REFERENCES `finance_invoices`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `finance_invoice_lines_invoice` ON `finance_invoice_lines` (`invoice_id`,`position`);
--> statement-breakpoint
CREATE INDEX `finance_invoice_lines_charge` ON `finance_invoice_lines` (`charge_id`);
--> statement-breakpoint
CREATE INDEX `finance_invoice_lines_credits` ON `finance_invoice_lines` (`credits_line_id`);
--> statement-breakpoint
CREATE TABLE `finance_invoices` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`person_id` text NOT NULL,
	`credits_id` text,
	`currency` text NOT NULL,
	`note` text,
	`payment_days` integer,
	`number` text,
	`issued_on` text,
	`issued_date` text,
	`due_on` text,
	`seller` text,
	`buyer` text,
	`net_minor` integer NOT NULL,
	`vat_minor` integer NOT NULL,
	`gross_minor` integer NOT NULL,
	`vat` text NOT NULL,
	`paid_minor` integer NOT NULL,
	`credited_minor` integer NOT NULL,
	`prepaid_minor` integer DEFAULT 0 NOT NULL,
	`paid_on` text,
	`voided_at` text,
	`void_reason` text,
	`reminders` integer NOT NULL,
	`changes_on` text,
	`created_by` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`credits_id`) REFERENCES `finance_invoices`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "finance_invoices_total" CHECK(gross_minor = net_minor + vat_minor)
);

--> statement-breakpoint
CREATE UNIQUE INDEX `finance_invoices_number_unique` ON `finance_invoices` (`number`);
--> statement-breakpoint
CREATE INDEX `finance_invoices_issued` ON `finance_invoices` (case when issued_on is null then '' else issued_on end,`id`);
--> statement-breakpoint
CREATE INDEX `finance_invoices_status` ON `finance_invoices` (`status`,case when issued_on is null then '' else issued_on end,`id`);
--> statement-breakpoint
CREATE INDEX `finance_invoices_person` ON `finance_invoices` (`person_id`,case when issued_on is null then '' else issued_on end,`id`);
--> statement-breakpoint
CREATE INDEX `finance_invoices_kind` ON `finance_invoices` (`kind`,case when issued_on is null then '' else issued_on end,`id`);
--> statement-breakpoint
CREATE INDEX `finance_invoices_credits` ON `finance_invoices` (`credits_id`);
--> statement-breakpoint
CREATE INDEX `finance_invoices_changes` ON `finance_invoices` (`changes_on`) WHERE changes_on is not null;
--> statement-breakpoint
CREATE TABLE `finance_months` (
	`month` text NOT NULL,
	`currency` text NOT NULL,
	`issued_minor` integer NOT NULL,
	`credited_minor` integer NOT NULL,
	`voided_minor` integer NOT NULL,
	`collected_minor` integer NOT NULL,
	`refunded_minor` integer NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`month`, `currency`)
);

--> statement-breakpoint
CREATE TABLE `finance_numbers` (
	`series` text NOT NULL,
	`year` integer NOT NULL,
	`last` integer NOT NULL,
	PRIMARY KEY(`series`, `year`)
);

--> statement-breakpoint
CREATE TABLE `finance_payments` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`currency` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`allocated_minor` integer NOT NULL,
	`refunded_minor` integer NOT NULL,
	`method` text NOT NULL,
	`received_on` text NOT NULL,
	`reference` text,
	`note` text,
	`created_by` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "finance_payments_used" CHECK(allocated_minor >= 0 and refunded_minor >= 0 and allocated_minor + refunded_minor <= amount_minor)
);

--> statement-breakpoint
CREATE INDEX `finance_payments_received` ON `finance_payments` (`received_on`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_payments_person` ON `finance_payments` (`person_id`,`received_on`,`id`);
--> statement-breakpoint
CREATE TABLE `finance_refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`payment_id` text,
	`credit_note_id` text,
	`currency` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`method` text NOT NULL,
	`refunded_on` text NOT NULL,
	`reason` text NOT NULL,
	`created_by` text,
	`created_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `finance_payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`credit_note_id`) REFERENCES `finance_invoices`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `finance_refunds_person` ON `finance_refunds` (`person_id`);
--> statement-breakpoint
CREATE INDEX `finance_refunds_payment` ON `finance_refunds` (`payment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_refunds_credit_note` ON `finance_refunds` (`credit_note_id`);
--> statement-breakpoint
CREATE TABLE `finance_vat_months` (
	`month` text NOT NULL,
	`currency` text NOT NULL,
	`vat_category` text NOT NULL,
	`vat_rate` integer NOT NULL,
	`net_minor` integer NOT NULL,
	`vat_minor` integer NOT NULL,
	PRIMARY KEY(`month`, `currency`, `vat_category`, `vat_rate`)
);

--> statement-breakpoint
ALTER TABLE `finance_charges` ADD `invoice_id` text;
--> statement-breakpoint
CREATE INDEX `finance_charges_invoice` ON `finance_charges` (`invoice_id`);
--> statement-breakpoint
ALTER TABLE `finance_settings` ADD `reminder_days` text DEFAULT '[7,21,35]' NOT NULL;
--> statement-breakpoint
ALTER TABLE `notification_preferences` ADD `invoice` integer DEFAULT true NOT NULL;