CREATE TABLE `finance_document_chunks` (
	`document_id` text NOT NULL,
	`position` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`document_id`, `position`)
);

--> statement-breakpoint
CREATE TABLE `finance_documents` (
	`id` text PRIMARY KEY NOT NULL,
	`invoice_id` text NOT NULL,
	`format` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`chunk_digests` blob NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`invoice_id`) REFERENCES `finance_invoices`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE UNIQUE INDEX `finance_documents_invoice` ON `finance_documents` (`invoice_id`,`format`);